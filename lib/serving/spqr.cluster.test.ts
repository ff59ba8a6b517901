import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionOwner } from "@/lib/actor";
import { resolveApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { homeOf } from "@/lib/database/shards/homes";
import { signUp } from "@/lib/owners/owners";
import { configure } from "@/lib/testing/change-settings";
import { type ShardsBehindSpqr, shardsBehindSpqr } from "@/lib/testing/cluster/shards-behind-spqr";
import { findSpqr, noSpqr } from "@/lib/testing/cluster/spqr-router";
import { anApp } from "@/lib/testing/factories";
import { aGrantedToken, askToken } from "@/lib/testing/oauth-flow";
import { inWords, obeyed } from "@/lib/testing/operator-command";
import { type Service, startService } from "@/lib/testing/service-process";
import { kill, restart } from "@/lib/testing/shards/shard-servers";
import { aReceiver, verified } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";

/*
 * Two instances with SPQR's router in front of two shards. The router has the configuration of
 * docs/operations. Each test continues from the previous one's final state.
 */

const program = findSpqr();
const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
let behind: ShardsBehindSpqr;
let receiver: Awaited<ReturnType<typeof aReceiver>>;
let services: Service[] = [];

/** An owner who signed up, and an app that the owner let in through the OAuth flow. */
type Party = {
  owner: SessionOwner & { session: string };
  token: string;
  /** The request that refreshes the token. */
  refresh: Record<string, string>;
  hook: { path: string; secret: string };
};
/** The parties, by the number of the owner's shard. */
const parties: Party[] = [];

beforeAll(async () => {
  if (!program) return;
  [behind, receiver] = await Promise.all([shardsBehindSpqr(program), aReceiver()]);
  configure({ SIGNUPS: "open", ALLOW_PRIVATE_FETCH: receiver.origin });
  for (let nth = 0; !(parties[0] && parties[1]); nth++) {
    const entrance = { email: `owner-${nth}@example.com`, name: "Robin Owner", password: "a password of some length" };
    const { ownerId } = await signUp(entrance, `2001:db8:${nth}::1`);
    parties[shardOfOwner(ownerId)] ??= await aParty(ownerId);
  }
  const start = () => startService({ ...behind.settings, ALLOW_PRIVATE_FETCH: receiver.origin, DATABASE_POOL: "5" });
  services = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  receiver?.close();
  await behind?.end();
});

async function aParty(ownerId: string): Promise<Party> {
  const owner = {
    kind: "owner",
    ownerId,
    email: "",
    password: "",
    name: "Robin Owner",
    session: "s",
    fresh: true,
  } as const;
  const app = await anApp(owner, { public: true });
  const path = `/${ownerId}`;
  const { secret } = await addEndpoint(owner, app.clientId, {
    url: `${receiver.origin}${path}`,
    description: "",
    types: ["approval.resolved"],
  });
  const scope = "approvals:write approvals:read approvals:resolve";
  const { token, reply } = await aGrantedToken({ owner, app }, { scope });
  const refresh = { grant_type: "refresh_token", refresh_token: reply.refresh_token, client_id: app.clientId };
  return { owner, token, refresh, hook: { path, secret } };
}

type Reply = { status: number; body: { id: string; status: string; data: { type: string; data: { id: string } }[] } };

async function call({ token }: Party, nth: number, path: string, body?: object, key?: string): Promise<Reply> {
  const reply = await fetch(`${services[nth % services.length]!.url}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(key && { "idempotency-key": key }),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Reply["body"] };
}

/** Asks a question and answers it as its owner. @returns its ID */
async function answered(party: Party): Promise<string> {
  const { id } = (await call(party, 0, "/api/approvals", question)).body;
  await resolveApproval(party.owner, id, { kind: "option", optionId: "yes" }, { contentHash: contentHash(question) });
  return id;
}

test.for([0, 1])("asks, waits for the answer, and uses the answer once, on shard %i", async (shard, { skip }) => {
  skip(!program, noSpqr);
  const party = parties[shard]!;
  const { status, body } = await call(party, 0, "/api/approvals", question);
  expect(status).toBe(201);
  // The other instance receives the answer's message from the shard's own address.
  const waiting = call(party, 1, `/api/approvals/${body.id}?wait=60`);
  await resolveApproval(
    party.owner,
    body.id,
    { kind: "option", optionId: "yes" },
    { contentHash: contentHash(question) },
  );
  expect((await waiting).body.status).toBe("resolved");
  const use = (key: string) =>
    call(party, 0, `/api/approvals/${body.id}/use`, { contentHash: contentHash(question) }, key);
  expect((await use("one")).status).toBe(200);
  expect((await use("one")).status).toBe(200);
  expect((await use("two")).status).toBe(409);
});

test.for([0, 1])(
  "sends concurrent requests as batches, and lists their events, on shard %i",
  async (shard, { skip }) => {
    skip(!program, noSpqr);
    const party = parties[shard]!;
    const asked = await Promise.all(Array.from({ length: 40 }, () => call(party, 0, "/api/approvals", question)));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 201));
    const ids = asked.map(({ body }) => body.id);
    const resolved = await Promise.all(
      ids.map((id) => call(party, 1, `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" })),
    );
    expect(resolved.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const events = async () =>
      (await call(party, 0, "/api/events?limit=100")).body.data
        .filter(({ type }) => type === "approval.resolved")
        .map(({ data }) => data.id);
    await expect.poll(events).toEqual(expect.arrayContaining(ids));
  },
);

test.for([0, 1])("sends a signed webhook about an answer, on shard %i", async (shard, { skip }) => {
  skip(!program, noSpqr);
  const party = parties[shard]!;
  const id = await answered(party);
  const arrived = () => receiver.at(party.hook.path).filter(({ body }) => body.includes(id));
  await expect.poll(() => arrived().length).toBe(1);
  expect(verified(party.hook.secret, arrived()[0]!).data).toMatchObject({ id });
});

test.for([0, 1])("refreshes a token, on shard %i", async (shard, { skip }) => {
  skip(!program, noSpqr);
  expect((await askToken(parties[shard]!.refresh)).status).toBe(200);
});

test("returns 400 for a value that PostgreSQL rejects before it runs the statement", async ({ skip }) => {
  skip(!program, noSpqr);
  const { status } = await askToken({ grant_type: "refresh_token", refresh_token: "x", client_id: "a\0b" });
  expect(status).toBe(400);
});

test("moves an owner's home to another shard and back while the instances run", async ({ skip }) => {
  skip(!program, noSpqr);
  const party = parties[0]!;
  const id = await answered(party);
  const home = String(homeOf(party.owner.ownerId));
  for (const to of ["two", "main"]) {
    const { status, err } = await obeyed(behind.settings, ["shards", "move", home, "--to", to]);
    expect(status, err).toBe(0);
    expect((await call(party, 0, `/api/approvals/${id}`)).body.status).toBe("resolved");
    expect((await call(party, 1, "/api/approvals", question)).status).toBe(201);
  }
});

test("finds no problem with the router in the health check", async ({ skip }) => {
  skip(!program, noSpqr);
  const { out } = await inWords(behind.settings, ["doctor"]);
  expect(out).toContain("Queries and NOTIFY work through DATABASE_URL and DATABASE_DIRECT_URL.");
  // The test's servers do not wait for the disk.
  expect(out).not.toMatch(/^FAIL {2}(?!Durability)/m);
});

test("returns 503 only to the owners of a shard that is away, and recovers", async ({ skip }) => {
  skip(!program, noSpqr);
  kill(behind.servers.two);
  const status = async (shard: number) => (await call(parties[shard]!, 0, "/api/approvals", question)).status;
  await expect.poll(() => status(1)).toBe(503);
  // SPQR still has some broken connections, on which it tries to prepare statements of other shards.
  const twenty = async () => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 20; nth++) statuses.push(await status(0));
    return statuses;
  };
  await expect.poll(twenty).toEqual(Array.from({ length: 20 }, () => 201));
  await restart(behind.servers.two);
  await expect.poll(() => status(1)).toBe(201);
});
