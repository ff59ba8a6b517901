import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { migrate } from "@/lib/postgres/migrations";
import { start, stop } from "@/lib/postgres/postgres-server";
import { pause, until } from "@/lib/testing/cluster/background-process";
import { type Caller, callerOf, crowdOf, type Outcome, type Stream } from "@/lib/testing/cluster/http-caller";
import { type Balancer, balancers, findBalancer, noBalancer } from "@/lib/testing/cluster/load-balancers";
import { type Copies, someApps, threeCopies } from "@/lib/testing/cluster/three-instances";
import { type Throwaway, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { quantile } from "../../bench/pages/table";

// Runs three instances behind HAProxy and nginx, configured as in docs/operations. Each test
// continues from the previous one's final state.
const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
const streamsOfOne = 10;
const crowd = 2_000;
const drainDelay = 5;

describe.each(["HAProxy", "nginx"] as const)("behind %s", (name) => {
  const there = findBalancer(name) !== undefined;
  let postgres: Throwaway;
  let copies: Copies;
  let balancer: Balancer;
  let caller: Caller;
  let tokens: string[];

  beforeAll(async () => {
    if (!there) return;
    postgres = await throwawayPostgres();
    await migrate(postgres.url);
    const scopes = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write"] as const;
    const { apps } = await someApps(postgres.url, crowd / streamsOfOne, [...scopes]);
    tokens = apps.map(({ token }) => token);
    const port = await freePort();
    copies = await threeCopies({
      DATABASE_URL: postgres.url,
      PUBLIC_URL: `https://localhost:${port}`,
      DRAIN_DELAY: String(drainDelay),
      ACCESS_LOG: "on",
    });
    balancer = await balancers[name](copies.ports, port);
    caller = callerOf(balancer);
    await until(async () => (await caller.call("GET", "/livez")).status === 200, balancer.output);
  });

  afterAll(async () => {
    caller?.close();
    await balancer?.stop();
    await copies?.end();
    await postgres?.end();
  });

  const token = () => tokens[0] as string;
  const submit = (asked: object = {}) =>
    caller.call("POST", "/api/approvals", { token: token(), body: question, ...asked });
  const idOf = ({ text }: Outcome) => (JSON.parse(text) as { id: string }).id;

  test("passes the caller's address and request ID to instances", async ({ skip }) => {
    skip(!there, noBalancer(name));
    const headers = { "x-request-id": "mine-4711", "x-forwarded-for": "192.0.2.66" };
    const reply = await submit({ from: "127.0.0.42", headers, alone: true });
    expect(reply.status).toBe(201);
    const ours = String(reply.headers["x-request-id"]);
    expect(ours).toMatch(/^req_\w+$/);
    const line = () => copies.said().match(new RegExp(`^.*"${ours}".*$`, "m"))?.[0];
    await expect.poll(line).toBeDefined();
    expect(JSON.parse(line() as string)).toMatchObject({ callerRequestId: "mine-4711", address: "127.0.0.42" });
    // The load balancer's own log also contains the request ID.
    await expect.poll(balancer.output).toContain(ours);
    const without = await submit();
    const theirs = () =>
      copies.said().match(new RegExp(`^.*"${without.headers["x-request-id"]}".*$`, "m"))?.[0] ?? "{}";
    await expect.poll(() => JSON.parse(theirs()).callerRequestId).toMatch(/^[\w-]{32,36}$/);
  });

  test("passes error responses and pages to the client unchanged", async ({ skip }) => {
    skip(!there, noBalancer(name));
    const large = await submit({ body: { ...question, backgroundContext: "x".repeat(1_200_000) } });
    expect([large.status, large.headers["content-type"]]).toEqual([413, "application/json"]);
    expect(large.text).toContain('"error"');
    const page = await caller.call("GET", "/sign-in");
    expect([page.status, page.headers["content-security-policy"]]).toEqual([200, expect.any(String)]);
  });

  test("keeps long waits and idle streams open", async ({ skip }) => {
    skip(!there, noBalancer(name));
    const id = idOf(await submit());
    const stream = await caller.stream(token());
    const waited = await caller.call("GET", `/api/approvals/${id}?wait=60`, { token: token() });
    expect([waited.status, JSON.parse(waited.text).status]).toEqual([200, "pending"]);
    await expect.poll(() => stream.output.split(": still here").length).toBeGreaterThan(3);
    expect(stream.ended).toBe(false);
    const answer = await caller.call("POST", `/api/approvals/${id}/resolve`, {
      token: token(),
      body: { kind: "option", optionId: "yes" },
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => stream.output).toContain(`"id":"${id}","resolution"`);
    stream.close();
  });

  test("accepts 2,000 concurrent streams", async ({ skip }) => {
    skip(!there, noBalancer(name));
    // Load balancers allow at most a hundred requests on one connection, so several connections are
    // needed.
    const many = crowdOf(balancer, crowd / 80);
    const told: number[] = [];
    const opened: Stream[] = [];
    const took: number[] = [];
    const open = async (nth: number): Promise<void> => {
      const began = performance.now();
      const stream = await many.stream(tokens[nth % tokens.length] as string, nth);
      took.push(performance.now() - began);
      if (stream.status === 200) return void opened.push(stream);
      stream.close();
      told.push(stream.status);
      const after = Number(stream.headers["retry-after"]);
      expect([stream.status, stream.broken]).toEqual([503, undefined]);
      expect(after).toBeGreaterThan(0);
      await pause(after * 1000);
      return open(nth);
    };
    const began = performance.now();
    const under: Promise<void>[] = [];
    for (let nth = 0; nth < crowd; nth++) {
      // Opens at most 800 streams per second.
      while (nth > ((performance.now() - began) / 1000) * 800) await pause(5);
      under.push(open(nth));
    }
    const sent = (performance.now() - began) / 1000;
    await Promise.all(under);
    process.stderr.write(
      `${name}: ${crowd} streams at ${Math.round(crowd / sent)}/s, ${told.length} told to come later, ` +
        `all open after ${((performance.now() - began) / 1000).toFixed(1)} s; a reply took ${[0.1, 0.5, 0.9, 0.99, 1].map((share) => `${(quantile(took, share) / 1000).toFixed(1)} s`).join(", ")} (p10, p50, p90, p99, longest)\n`,
    );
    expect(opened.length).toBe(crowd);
    // Each stream receives events.
    const id = idOf(await submit());
    const body = { kind: "option", optionId: "yes" };
    await caller.call("POST", `/api/approvals/${id}/resolve`, { token: token(), body });
    const mine = opened.filter(({ output: said }) => said.includes(`"id":"${id}"`));
    await expect
      .poll(() => opened.filter(({ output: said }) => said.includes(`"id":"${id}","resolution"`)).length)
      .toBe(streamsOfOne);
    expect(mine.length).toBeLessThanOrEqual(streamsOfOne);
    expect(opened.filter(({ ended }) => ended)).toEqual([]);
    many.close();
  });

  /**
   * Sends requests while instances start and stop: reads, waits, and writes with and without an
   * idempotency key, over new and reused connections.
   */
  function traffic(kinds: { unkeyed: boolean }) {
    const came = { good: 0, bad: [] as string[] };
    let over = false;
    let nth = 0;
    const loop = async (what: string, ask: () => Promise<Outcome>) => {
      while (!over) {
        const { status, broken, text } = await ask();
        if (status >= 200 && status < 300) came.good++;
        else came.bad.push(`${what}: ${broken ?? status} ${text}`);
        await pause(10);
      }
    };
    const key = () => `${name}-${process.pid}-${performance.now()}-${nth++}`;
    const loops = [
      loop("write with a key", () => submit({ key: key() })),
      loop("write with a key, alone", () => submit({ key: key(), alone: true })),
      loop("list", () => caller.call("GET", "/api/approvals?limit=1", { token: token() })),
      loop("list, alone", () => caller.call("GET", "/api/approvals?limit=1", { token: token(), alone: true })),
      ...(kinds.unkeyed ? [loop("write", () => submit()), loop("write, alone", () => submit({ alone: true }))] : []),
      ...[1, 2, 3].map(() =>
        loop("write and wait", () =>
          caller.call("POST", "/api/approvals?wait=2", { token: token(), body: question, key: key() }),
        ),
      ),
    ];
    return async () => {
      over = true;
      await Promise.all(loops);
      return came;
    };
  }

  test("resets no connection when instances stop one by one", async ({ skip }) => {
    skip(!there, noBalancer(name));
    const streams = await Promise.all(tokens.slice(0, 30).map((each) => caller.stream(each)));
    // nginx may send a write over a reused connection that the instance is closing, and retries no
    // write without an idempotency key.
    const finish = traffic({ unkeyed: name === "HAProxy" });
    for (const [at, copy] of copies.copies.entries()) {
      copy.child.kill("SIGTERM");
      expect(await copy.ended).toBe(0);
      await copies.again(at);
      // The load balancer must detect the new instance before the next one stops.
      const { length } = copies.said();
      await until(
        () => copies.copies[at]?.output().includes('"message":"request"'),
        () => `unused: ${length}`,
      );
    }
    const { good, bad } = await finish();
    expect(bad).toEqual([]);
    expect(good).toBeGreaterThan(100);
    // Each stream has sent a retry interval, and ends with its instance.
    await expect.poll(() => streams.filter(({ ended }) => !ended).length).toBe(0);
    for (const { status, output: said, broken } of streams)
      expect([status, said.startsWith("retry: "), broken]).toEqual([200, true, undefined]);
  });

  test("retries reads and idempotent writes when an instance is killed", async ({ skip }) => {
    skip(!there, noBalancer(name));
    const finish = traffic({ unkeyed: false });
    await pause(1_000);
    copies.copies[0]?.child.kill("SIGKILL");
    await copies.copies[0]?.ended;
    await pause(3_000);
    const { good, bad } = await finish();
    expect(bad).toEqual([]);
    expect(good).toBeGreaterThan(10);
    await copies.again(0);
  });

  test("passes an instance's 503 and Retry-After to the client", async ({ skip }) => {
    skip(!there, noBalancer(name));
    await stop(postgres.instance);
    const replies: Outcome[] = [];
    // The wait is long enough for the load balancer to detect that no instance is ready.
    const until5 = Date.now() + 5_000;
    while (Date.now() < until5) {
      replies.push(
        ...(await Promise.all([
          submit(),
          submit({ alone: true }),
          caller.call("GET", "/api/approvals", { token: token() }),
        ])),
      );
      await pause(20);
    }
    await start(postgres.instance, postgres.port);
    for (const { status, headers, text } of replies)
      expect([status, headers["retry-after"], headers["x-request-id"], JSON.parse(text)]).toEqual([
        503,
        expect.stringMatching(/^\d+$/),
        expect.stringMatching(/^req_/),
        { error: expect.any(String) },
      ]);
    expect(replies.length).toBeGreaterThan(20);
    await expect.poll(async () => (await submit()).status).toBe(201);
  });

  test("returns a JSON error with Retry-After while no instance is running", async ({ skip }) => {
    skip(!there, noBalancer(name));
    for (const copy of copies.copies) copy.child.kill("SIGKILL");
    await Promise.all(copies.copies.map(({ ended }) => ended));
    // Sends requests before and after the load balancer detects that no instance is left.
    for (const ms of [0, 3_000]) {
      await pause(ms);
      const { status, headers, text } = await submit({ key: `nobody ${ms}` });
      expect([status, headers["retry-after"], headers["content-type"]]).toEqual([503, "2", "application/json"]);
      expect(JSON.parse(text)).toEqual({ error: "Service unavailable" });
    }
  });
});
