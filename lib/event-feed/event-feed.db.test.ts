import pg from "pg";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { shareIntegrations } from "@/lib/grants/linked-account-sharing";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { newId } from "@/lib/ids";
import { type Scope, scopeNames } from "@/lib/scopes";
import { startFront } from "@/lib/testing/api-server";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { urlOf } from "@/lib/testing/shards/database-of-owner";

const { ask } = await startFront();
const everyScope = scopeNames as [Scope, ...Scope[]];

type Event = { id: string; type: string; createdAt: number; data: Record<string, unknown> };
type Page = { data: Event[]; nextCursor: string };

const submit = async (token: string) =>
  ((await ask("POST", "/api/approvals", { token, body: aQuestion })).body as { id: string }).id;
const resolve = (token: string, id: string) =>
  ask("POST", `/api/approvals/${id}/resolve`, { token, body: { kind: "option", optionId: "ship" } });
const push = async (token: string, title: string) =>
  ((await ask("POST", "/api/notifications", { token, body: { title, type: "deploys" } })).body as { id: string }).id;

const page = async (token: string, query = "") => {
  const reply = await ask("GET", `/api/events${query}`, { token });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body as Page;
};

/**
 * Reads the events after a position, up to the expected last event, which another test's
 * transaction may delay.
 */
async function until(token: string, last: (event: Event) => boolean, from?: string): Promise<Event[]> {
  const all: Event[] = [];
  let after = from;
  for (let turn = 0; turn < 30 && !all.some(last); turn++) {
    const { data, nextCursor } = await page(token, `?wait=2${after ? `&after=${after}` : ""}`);
    all.push(...data);
    after = nextCursor;
  }
  return all;
}
const about = (subject: string, type: string) => (event: Event) => event.type === type && event.data.id === subject;

async function anAccount(ownerId: string, email = "robin@mail.example") {
  const id = newId("int");
  await db.integration.create({
    data: { id, ownerId, provider: "google", issuer: "https://accounts.google.com", subject: id, email },
  });
  return id;
}
const statusChanged = (ownerId: string, subject: string) =>
  db.$executeRaw`INSERT INTO event (owner_id, type, subject, data)
    VALUES (${ownerId}, 'integration.status_changed', ${subject}, '{"from":"connected","to":"needs_reauth","reason":"invalid_grant"}')`;

describe("app events", () => {
  test("returns events in order with their data", async () => {
    const { token, owner, clientId } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
    await createPersonalToken(owner, { clientId, scopes: ["notifications:write", "notifications:read"] });
    const { token: all } = await aTokenFor(owner, clientId, everyScope);
    const id = await submit(token);
    const account = await anAccount(owner.ownerId);
    await shareIntegrations(owner, clientId, [account]);
    await resolve(token, id);
    const note = await push(all, "Build 418 is live");
    await statusChanged(owner.ownerId, account);
    await revokeScope(owner, clientId, "notifications:write");

    const events = await until(all, ({ type, data }) => type === "grant.changed" && `${data.removed}` !== "");
    const first = ["approvals:read", "approvals:resolve", "approvals:write"];
    const four = ["approvals:read", "approvals:resolve", "approvals:write", "notifications:read"];
    const resolution = { kind: "option", optionId: "ship", resolvedBy: "api", resolvedAt: expect.any(Number) };
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ["grant.changed", { scopes: first, added: expect.arrayContaining(first), removed: [] }],
      [
        "grant.changed",
        {
          scopes: [...four, "notifications:write"],
          added: expect.arrayContaining(["notifications:read", "notifications:write"]),
          removed: [],
        },
      ],
      ["approval.submitted", { id }],
      ["grant.changed", { scopes: [...four, "notifications:write"], added: [], removed: [] }],
      ["approval.resolved", { id, resolution, contentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
      ["notification.pushed", { id: note, title: "Build 418 is live", type: "deploys" }],
      ["integration.status_changed", { id: account, provider: "google", status: "needs_reauth", was: "connected" }],
      ["grant.changed", { scopes: four, added: [], removed: ["notifications:write"] }],
    ]);
    for (const event of events) {
      expect(Object.keys(event)).toEqual(["id", "type", "createdAt", "data"]);
      expect(event.id).toMatch(/^evt_[0-9a-v]{26}$/);
      expect(Number.isInteger(event.createdAt)).toBe(true);
    }
  });

  test("returns only events that the token's current scopes allow", async () => {
    const { token, owner, clientId } = await anAppWith(...everyScope);
    const { token: notes } = await aTokenFor(owner, clientId, ["notifications:read"]);
    const id = await submit(token);
    await resolve(token, id);
    const note = await push(token, "Hello");
    const types = (events: Event[]) => new Set(events.map(({ type }) => type));
    const here = about(note, "notification.pushed");
    expect(types(await until(token, here))).toContain("approval.resolved");
    expect(types(await until(notes, here))).toEqual(new Set(["grant.changed", "notification.pushed"]));
    await revokeScope(owner, clientId, "notifications:read");
    const removed = ({ type, data }: Event) => type === "grant.changed" && `${data.removed}` === "notifications:read";
    expect(types(await until(notes, removed))).toEqual(new Set(["grant.changed"]));
    expect(types(await until(token, removed))).not.toContain("notification.pushed");
  });

  test("excludes events of other apps, owners and unshared accounts", async () => {
    const mine = await anAppWith(...everyScope);
    const otherOwner = await anOwner();
    const sameApp = await aTokenFor(otherOwner, mine.clientId, everyScope);
    const sameOwner = await aTokenFor(mine.owner, (await anApp()).clientId, everyScope);
    const parties = [mine.token, sameApp.token, sameOwner.token];
    const ids: string[] = [];
    for (const token of parties) ids.push(await submit(token), await push(token, "One of mine"));
    const [shared, kept] = [
      await anAccount(mine.owner.ownerId),
      await anAccount(mine.owner.ownerId, "kept@mail.example"),
    ];
    await shareIntegrations(mine.owner, mine.clientId, [shared]);
    for (const account of [kept, shared]) await statusChanged(mine.owner.ownerId, account);
    await until(mine.token, about(shared, "integration.status_changed"));
    for (const [at, token] of parties.entries()) {
      const note = ids[at * 2 + 1] as string;
      const events = await until(token, about(note, "notification.pushed"));
      const named = events.flatMap(({ data }) => (typeof data.id === "string" ? [data.id] : []));
      const own = [ids[at * 2], note, ...(token === mine.token ? [shared] : [])].sort();
      expect([...new Set(named)].sort()).toEqual(own);
    }
  });
});

describe("event cursors", () => {
  test("returns every event exactly once across pages", async () => {
    const { token } = await anAppWith("notifications:write", "notifications:read");
    const notes: string[] = [];
    for (let at = 0; at < 23; at++) notes.push(await push(token, `Note ${at}`));
    await until(token, about(notes.at(-1) as string, "notification.pushed"));
    const seen: string[] = [];
    let after: string | undefined;
    const sizes: number[] = [];
    for (;;) {
      const { data, nextCursor } = await page(token, `?limit=5${after ? `&after=${after}` : ""}`);
      sizes.push(data.length);
      if (data.length > 0) expect(nextCursor).toBe(data.at(-1)?.id);
      seen.push(...data.flatMap(({ type, data }) => (type === "notification.pushed" ? [data.id as string] : [])));
      after = nextCursor;
      if (data.length === 0) break;
    }
    expect(seen).toEqual(notes);
    expect(sizes).toEqual([5, 5, 5, 5, 4, 0]);
    expect((await page(token, `?after=${after}`)).nextCursor).toBe(after);
  });

  test("moves the cursor past events that the token's scopes do not allow", async () => {
    const { token, owner, clientId } = await anAppWith("approvals:write");
    const { token: notes } = await aTokenFor(owner, clientId, ["notifications:read", "notifications:write"]);
    for (let at = 0; at < 5; at++) await submit(token);
    const start = await page(token);
    const later = await until(notes, about(await push(notes, "Hello"), "notification.pushed"), start.nextCursor);
    expect(later.filter(({ type }) => type === "notification.pushed")).toHaveLength(1);
    const fresh = await anAppWith("approvals:write");
    // Another test's transaction may delay this event until after the first page.
    await until(fresh.token, ({ type }) => type === "grant.changed");
    await db.$executeRaw`DELETE FROM grant_scope WHERE grant_id IN (SELECT id FROM app_grant WHERE app_id = ${fresh.clientId})`;
    const { nextCursor } = await page(fresh.token);
    expect((await page(fresh.token, `?after=${nextCursor}`)).data).toEqual([]);
  });

  test("rejects other apps' cursors and invalid cursors", async () => {
    const mine = await anAppWith(...everyScope);
    const other = await anAppWith(...everyScope);
    const id = await push(other.token, "Theirs");
    const theirs = (await until(other.token, about(id, "notification.pushed"))).at(-1)?.id as string;
    const sameApp = await aTokenFor(await anOwner(), other.clientId, everyScope);
    for (const [token, after] of [
      [mine.token, theirs],
      [sameApp.token, theirs],
      [mine.token, `evt_7${"0".repeat(25)}`],
      [mine.token, "evt_"],
      [mine.token, "7"],
      [mine.token, "x".repeat(100)],
    ] as const) {
      const reply = await ask("GET", `/api/events?after=${after}`, { token });
      const details = [{ path: "after", message: "Must be the ID of an event that this app can read" }];
      // The owner's shard cannot know events of another shard, or whether they have expired.
      if (hasSeveralShards() && after === theirs) expect([400, 410]).toContain(reply.status);
      else expect([reply.status, reply.body]).toEqual([400, { error: "Bad request", details }]);
    }
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "limit=1&limit=2",
    "wait=0",
    "wait=61",
    "wait=1.5",
    "after=",
    "since=1",
  ])("returns 400 for the query ?%s", async (query) => {
    const { token } = await anAppWith("approvals:read");
    const reply = await ask("GET", `/api/events?${query}`, { token });
    expect([reply.status, reply.body]).toEqual([400, { error: "Bad request", details: [expect.any(Object)] }]);
  });

  test("returns every event when transactions commit in reverse order", async () => {
    const { token, owner, clientId } = await anAppWith("notifications:write", "notifications:read");
    const begin = (await page(token)).nextCursor;
    const notes = [await push(token, "First"), await push(token, "Second")];
    const from = (await until(token, about(notes[1] as string, "notification.pushed"), begin)).at(-1)?.id as string;
    const slow = new pg.Client({ connectionString: urlOf(owner) });
    await slow.connect();
    const tell = (by: Pick<pg.ClientBase, "query">, subject: string) =>
      by.query("INSERT INTO event (owner_id, app_id, type, subject) VALUES ($1, $2, 'notification.pushed', $3)", [
        ...[owner.ownerId, clientId, subject],
      ]);
    await slow.query("BEGIN");
    await tell(slow, notes[0] as string);
    const quick = new pg.Client({ connectionString: urlOf(owner) });
    await quick.connect();
    await tell(quick, notes[1] as string);
    await quick.end();
    // Three readers: one with long waits, one that polls continuously, and one that reads like the
    // stream.
    const waiting = until(token, about(notes[1] as string, "notification.pushed"), from);
    let cursor = from;
    for (let at = 0; at < 5; at++) {
      const { data, nextCursor } = await page(token, `?after=${cursor}`);
      expect(data).toEqual([]);
      cursor = nextCursor;
    }
    await slow.query("COMMIT");
    await slow.end();
    const polled = await until(token, about(notes[1] as string, "notification.pushed"), cursor);
    for (const events of [await waiting, polled]) expect(events.map(({ data }) => data.id)).toEqual(notes);
  });

  test("returns events without a transaction number before all other events", async () => {
    const { token, owner, clientId } = await anAppWith("notifications:write", "notifications:read");
    const [one, two] = [await push(token, "One"), await push(token, "Two")];
    for (const id of [two, one])
      await db.$executeRaw`INSERT INTO event (owner_id, app_id, type, subject, tx)
        VALUES (${owner.ownerId}, ${clientId}, 'notification.pushed', ${id}, '0')`;
    const events = await until(token, ({ data }) => data.id === two);
    expect(events.slice(0, 2).map(({ data }) => data.id)).toEqual([two, one]);
    expect((await page(token, `?after=${events[0]?.id}&limit=1`)).data[0]?.data.id).toBe(one);
  });
});
