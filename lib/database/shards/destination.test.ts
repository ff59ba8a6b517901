import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newHomedId, newOwnerId } from "@/lib/ids";
import { hashSecret, newSecret, newServiceSecret } from "@/lib/keys/secret-tokens";
import { detached, type RequestContext, withRequest } from "@/lib/request-context";
import { configure } from "@/lib/testing/change-settings";
import { destinationOf } from "./destination";
import type { Home } from "./homes";
import { homesIn } from "./homes-in-values";
import { forEachShardOf, inEveryShard, inHomeOf, inService } from "./marks";
import { guardStatements, isRouted, setShards } from "./shard-map";
import { shardFor, TransactionRoute, towardsOwner } from "./statement-routing";

configure({
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
  DATABASE_URL: "postgresql://localhost/none",
  PUBLIC_URL: "http://localhost:3000",
});
// Hashes remember homes only if statements are routed.
beforeEach(() => guardStatements({ exempts: () => false }));
afterEach(() => {
  setShards();
  guardStatements(undefined);
});

const home = (value: number) => value as Home;
const owner = (value: number) => newOwnerId(home(value));
const statement = (...values: unknown[]) => ({ text: "SELECT 1 FROM approval", values });
const ofApps = (...values: unknown[]) => ({ text: "SELECT 1 FROM app", values });
const to = (...values: unknown[]) => destinationOf(statement(...values));
const tokenOf = (ownerId: string) => hashSecret(newSecret("at", { ownerId }));

const request = (more: Partial<RequestContext>): RequestContext => ({
  id: "request",
  headers: {},
  route: "",
  kind: "pages",
  timing: { began: 0 },
  ...more,
});
const requestOf = (ownerId: string) => request({ owner: ownerId });
const requestWith = (tokenHash: Buffer) => request({ app: { kind: "app", tokenHash, resource: "api", needs: null } });

describe("a statement's values", () => {
  test("name the home by the owner's ID", () => {
    expect(to("x", 1, null, owner(700))).toEqual({ home: 700 });
    expect(to([owner(3)])).toEqual({ home: 3 });
    expect(to({ where: { ownerId: owner(9) } })).toEqual({ home: 9 });
  });

  test("name the home by a hashed secret", () => {
    expect(to(tokenOf(owner(700)))).toEqual({ home: 700 });
    expect(to([tokenOf(owner(701))])).toEqual({ home: 701 });
  });

  test("name home 0 by a secret from before homes", () => {
    const former = newServiceSecret("dc").replace("csn_dc_", "csn_at_");
    expect(to(hashSecret(former))).toEqual({ home: 0, isLikely: true });
    expect(to(hashSecret(former), owner(700))).toEqual({ home: 700 });
  });

  test("name no home by a secret of the service or by a text that contains an ID", () => {
    expect(to(hashSecret(newServiceSecret("cs")))).toBeUndefined();
    expect(to(`"${owner(5)}"`, "own_1", "apr_1")).toBeUndefined();
  });

  test("name the home by an alert's ID unless an owner's ID is among them", () => {
    const ownerId = owner(700);
    const alert = newHomedId("alt", { ownerId });
    expect(to(alert)).toEqual({ home: 700, isLikely: true });
    const former = `${alert.slice(0, 14)}00${alert.slice(16)}`;
    expect(to(former, ownerId)).toEqual({ home: 700 });
  });
});

describe("a request", () => {
  test("names the home by its token, before any query", () => {
    expect(withRequest(requestWith(tokenOf(owner(700))), () => to("apr_1"))).toMatchObject({ home: 700 });
  });

  test("names the home by its session", () => {
    expect(withRequest(requestOf(owner(8)), () => to("apr_1"))).toEqual({ home: 8 });
  });

  test("names the home if the values name none, or several", () => {
    withRequest(requestOf(owner(8)), () => {
      expect(to("apr_1")).toEqual({ home: 8 });
      expect(to(owner(9), owner(8))).toEqual({ home: 8 });
    });
  });

  test("comes after the values, because a link can belong to another owner", () => {
    withRequest(requestOf(owner(8)), () => {
      expect(to(owner(9))).toEqual({ home: 9 });
      expect(to(tokenOf(owner(9)))).toEqual({ home: 9 });
    });
  });
});

describe("a mark", () => {
  test("precedes the request and the values", async () => {
    withRequest(requestOf(owner(8)), () => {
      expect(inHomeOf(owner(4), () => to(owner(9)))).toEqual({ home: 4 });
      expect(inService(() => to(owner(9)))).toBe("service");
    });
    expect(await inEveryShard(async () => to(owner(9)))).toEqual([{ shard: 0 }]);
  });

  test("applies to nothing outside of its work", () => {
    inService(() => {
      expect(detached(() => to())).toBeUndefined();
      expect(withRequest(requestOf(owner(8)), () => to())).toEqual({ home: 8 });
    });
    expect(to()).toBeUndefined();
  });

  test("runs work once on each shard", async () => {
    setShards([
      { name: "a", homes: [0, 511] },
      { name: "b", homes: [512, 1023] },
    ]);
    expect(await inEveryShard(async () => shardFor(statement()))).toEqual([0, 1]);
  });
});

test("sends statements about the service's tables to the directory, whoever sends them", () => {
  withRequest(requestOf(owner(8)), () => expect(destinationOf(ofApps(owner(8)))).toBe("service"));
  inHomeOf(owner(8), () => expect(destinationOf(ofApps())).toBe("service"));
});

test("does not resolve destinations with one shard and without the guard", () => {
  guardStatements(undefined);
  expect(isRouted()).toBe(false);
  expect(homesIn([tokenOf(owner(700))])).toEqual({ sure: [], likely: undefined });
  expect(shardFor(statement())).toBe(0);
});

describe("several shards", () => {
  beforeEach(() => guardStatements(undefined));
  const twoShards = () =>
    setShards([
      { name: "a", homes: [0, 511] },
      { name: "b", homes: [512, 1023] },
    ]);

  test("chooses a statement's shard by its home", () => {
    twoShards();
    expect([owner(511), owner(512)].map((ownerId) => shardFor(statement(ownerId)))).toEqual([0, 1]);
    expect(inHomeOf(owner(700), () => shardFor(ofApps()))).toBe(0);
  });

  test("rejects a statement without a destination", () => {
    twoShards();
    expect(() => shardFor(statement("apr_1"))).toThrow(/names no owner.*SELECT 1 FROM approval/);
  });

  test("begins a transaction of an owner on their shard, and one about the service in the directory", () => {
    twoShards();
    expect(towardsOwner(owner(700), () => new TransactionRoute().admit(statement("apr_1")))).toBe(1);
    inHomeOf(owner(3), () => expect(towardsOwner(owner(700), () => new TransactionRoute().admit(statement()))).toBe(0));
    const route = new TransactionRoute();
    expect([ofApps(), statement("app_1")].map((each) => route.admit(each))).toEqual([0, 0]);
  });

  test("runs work on items of several owners once on each of their shards", async () => {
    twoShards();
    const [a, b, c] = [owner(1), owner(700), owner(2)];
    const groups = await forEachShardOf(
      [a, b, c],
      (ownerId) => ownerId,
      async (some) => [shardFor(statement()), some],
    );
    expect(groups).toEqual([
      [0, [a, c]],
      [1, [b]],
    ]);
    await expect(forEachShardOf(["x"], String, async () => {})).rejects.toThrow("names no owner");
  });

  test("rejects a transaction that uses two shards", () => {
    twoShards();
    const route = new TransactionRoute();
    expect(route.admit(statement(owner(700)))).toBe(1);
    expect(route.admit(statement("apr_1"))).toBe(1);
    expect(() => route.admit(ofApps())).toThrow("A transaction cannot use two shards: SELECT 1 FROM app");
  });

  test.each([
    [[[0, 511]]],
    [
      [
        [0, 600],
        [512, 1023],
      ],
    ],
  ])("rejects a map with a missing or a double home", (homes) => {
    const map = homes.map(([first = 0, last = 0], at) => ({ name: `${at}`, homes: [first, last] as const }));
    expect(() => setShards(map)).toThrow(/Home 512 must be in exactly one shard/);
  });
});

describe("the guard", () => {
  test("rejects a statement without a destination", () => {
    expect(() => shardFor(statement("apr_1"))).toThrow(/names no owner.*SELECT 1 FROM approval/);
    expect(inService(() => shardFor(statement("apr_1")))).toBe(0);
  });

  test("rejects a statement that names two homes, unless it has a mark", async () => {
    const both = statement(owner(1), owner(2));
    expect(() => shardFor(both)).toThrow(/another home.*SELECT 1 FROM approval/);
    expect(inService(() => shardFor(both))).toBe(0);
    expect(await inEveryShard(async () => shardFor(both))).toEqual([0]);
  });

  test("rejects a statement for another owner than its mark, or for two in a request", () => {
    withRequest(requestOf(owner(8)), () =>
      expect(() => shardFor(statement(owner(8), owner(9)))).toThrow(/another home/),
    );
    inHomeOf(owner(8), () => expect(() => shardFor(statement(owner(9)))).toThrow(/another home/));
  });

  test("rejects a transaction for two homes", () => {
    const route = new TransactionRoute();
    route.admit(statement(owner(1)));
    route.admit(ofApps(owner(2)));
    expect(() => route.admit(statement(owner(2)))).toThrow(/another home/);
  });

  test("rejects a transaction whose first statement names no home", () => {
    expect(() => new TransactionRoute().admit(statement("apr_1"))).toThrow(/names no owner/);
  });
});
