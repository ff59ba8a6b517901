import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import type { AppActor } from "@/lib/actor";
import { getApproval, listApprovals, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { db, pool } from "@/lib/database/db";
import { asAppError } from "@/lib/errors";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { pushNotification } from "@/lib/notifications/notifications";
import type { Scope } from "@/lib/scopes";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import { notePlans } from "@/lib/testing/query-plans";
import { aQuestion } from "@/lib/testing/sample-question";
import { statementsWith } from "@/lib/testing/spied-sql-statements";
import { unknownSecret } from "@/lib/testing/unknown-secret";

afterEach(() => {
  vi.restoreAllMocks();
  configure({ MAX_PENDING: undefined });
});

const all: [Scope, ...Scope[]] = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write"];
const yes = { kind: "option", optionId: "ship" } as const;
const to = (app: AppActor, needs: Scope): AppActor => ({ ...app, needs });
const submit = (app: AppActor, more: object = {}) =>
  submitApproval(to(app, "approvals:write"), { ...aQuestion, ...more });
const resolve = (app: AppActor, id: string) => resolveApproval(to(app, "approvals:resolve"), id, yes);
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Returns each request's result, or the status of its error. */
const outcomes = async <T>(work: Promise<T>[]) =>
  (await Promise.allSettled(work)).map((it) => (it.status === "fulfilled" ? it.value : asAppError(it.reason)?.status));
/**
 * Runs `work`.
 * @returns the work's result, and the number of statements that contain this text
 */
async function counting<T>(part: string, work: () => Promise<T>): Promise<[T, number]> {
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const value = await work();
  const count = statementsWith(part, queries).length;
  vi.restoreAllMocks();
  return [value, count];
}
/** Runs `work` while another transaction locks the statement's rows. */
async function holding(statement: string, work: () => Promise<void>) {
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(statement);
  await work().finally(() => holder.end());
}
const inserts = "INSERT INTO approval ";

test("runs thirty concurrent submissions in one SQL statement", async () => {
  const { app, owner } = await anAppWith(...all);
  await submit(app);
  const [made, count] = await counting(inserts, () =>
    Promise.all(times(30, (at) => submit(app, { question: `Ship ${at}?` }))),
  );
  expect(count).toBe(1);
  const rows = await db.approval.findMany({ where: { id: { in: made.map(({ id }) => id) } } });
  expect(rows.map(({ id, question }) => [id, question]).sort()).toEqual(
    made.map(({ id }, at) => [id, `Ship ${at}?`]).sort(),
  );
  const events = await db.event.findMany({
    where: { ownerId: owner.ownerId, type: "approval.submitted" },
    orderBy: { id: "asc" },
  });
  expect(events.slice(1).map(({ subject }) => subject)).toEqual(made.map(({ id }) => id));
});

test("returns each request's own result despite invalid requests", async () => {
  const { owner, clientId, app } = await anAppWith(...all);
  const { app: reader } = await aTokenFor(owner, clientId, ["approvals:read"]);
  const { app: writer } = await aTokenFor(owner, clientId, ["approvals:write"]);
  const nobody: AppActor = { ...app, tokenHash: hashSecret(unknownSecret("at")) };
  const elsewhere: AppActor = { ...app, resource: "mcp" };
  const [said, count] = await counting(inserts, () =>
    outcomes([
      submit(app),
      submit(nobody),
      submit(app),
      submit(reader),
      submit(writer, { defaultOptionId: "ship", expiresAt: Date.now() + 60_000 }),
      submit(app, { expiresAt: Date.now() + 1_000 }),
      submit(app),
      submit(elsewhere),
    ]),
  );
  const fine = { id: expect.stringMatching(/^apr_/) };
  expect(said).toEqual([fine, 401, fine, 403, 403, 400, fine, 401]);
  // Requests for the other resource run in separate statements.
  expect(count).toBe(2);

  const id = (await submit(app)).id;
  const [closed, done] = [(await submit(app, { ownerOnly: true })).id, (await submit(app)).id];
  await resolve(app, done);
  const answers = [id, closed, done, "apr_0", id].map((it) => resolve(app, it));
  const [first, ...rest] = await outcomes([...answers, resolve(reader, id), resolve(nobody, id)]);
  // Requests for the same approval are never in the same batch, so these two can run in either
  // order.
  expect([[first, rest[3]].sort(), rest.filter((_, at) => at !== 3)]).toEqual([
    [409, undefined],
    [403, 409, 404, 403, 401],
  ]);
});

test("authorizes each request in a batch by scope", async () => {
  const { owner, clientId } = await anAppWith(...all);
  const { app: writer } = await aTokenFor(owner, clientId, ["approvals:write"]);
  const { app: resolver } = await aTokenFor(owner, clientId, ["approvals:resolve"]);
  const fine = { id: expect.any(String) };
  const submitAs = (app: AppActor, needs: Scope) => submitApproval(to(app, needs), aQuestion);
  for (const first of [writer, resolver])
    expect(
      await outcomes([
        submitAs(first, first === writer ? "approvals:write" : "approvals:resolve"),
        submitAs(writer, "approvals:resolve"),
        submitAs(resolver, "approvals:write"),
      ]),
    ).toEqual([fine, 403, 403]);
});

test("fails only the batched request that the database rejects", async () => {
  const { app } = await anAppWith(...all);
  await pool().query("ALTER TABLE approval ADD CONSTRAINT no_bad CHECK (question <> 'bad') NOT VALID");
  const work = () => times(31, (at) => submit(app, { question: at === 15 ? "bad" : "good" }));
  const [said, count] = await counting(inserts, () => Promise.allSettled(work()));
  await pool().query("ALTER TABLE approval DROP CONSTRAINT no_bad");
  expect(said.map(({ status }) => status === "fulfilled")).toEqual(times(31, (at) => at !== 15));
  const failed = said[15] as PromiseRejectedResult;
  expect(failed.reason).toMatchObject({ code: "23514" });
  expect(count).toBe(32);
  const nul = await outcomes([submit(app), submit(app, { question: "\0" }), submit(app)]);
  expect(nul).toEqual([{ id: expect.any(String) }, 400, { id: expect.any(String) }]);
});

test("returns 503 for every request on a lost connection", async () => {
  const { app } = await anAppWith(...all);
  await submit(app);
  const waits = `FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'countersign' AND datname LIKE current_database() || '%'`;
  await holding("LOCK TABLE approval IN ACCESS EXCLUSIVE MODE", async () => {
    const work = outcomes(times(20, () => submit(app)));
    await expect.poll(async () => (await pool().query(`SELECT pid ${waits}`)).rowCount).toBe(1);
    await pool().query(`SELECT pg_terminate_backend(pid) ${waits}`);
    expect(await work).toEqual(times(20, () => 503));
  });
  expect(await submit(app)).toEqual({ id: expect.any(String) });
});

test("rejects every submission that begins after the scope is revoked", async () => {
  const { owner, clientId, app } = await anAppWith(...all);
  const other = await anAppWith(...all);
  let over = false;
  const later: unknown[] = [];
  let taken = false;
  const asking = [...times(10, () => app), ...times(10, () => other.app)].map(async (who) => {
    while (!over) {
      const after = taken;
      const [said] = await outcomes([submit(who)]);
      if (after && who === app) later.push(said);
      if (who !== app) expect(said).toEqual({ id: expect.any(String) });
    }
  });
  await revokeScope(owner, clientId, "approvals:write");
  taken = true;
  await expect.poll(() => later.length).toBeGreaterThan(30);
  over = true;
  await Promise.all(asking);
  expect(new Set(later)).toEqual(new Set([403]));
});

test("records only one answer if two instances answer the same question", async () => {
  const { app } = await anAppWith(...all);
  const ids = (await Promise.all(times(100, () => submit(app)))).map(({ id }) => id);
  vi.resetModules();
  const copy: typeof import("@/lib/approvals/approvals") = await import("@/lib/approvals/approvals");
  const resolver = to(app, "approvals:resolve");
  const answers = await Promise.allSettled([
    ...ids.map((id) => resolve(app, id)),
    ...[...ids].reverse().map((id) => copy.resolveApproval({ ...resolver }, id, yes)),
  ]);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  for (const it of answers) if (it.status === "rejected") expect(it.reason).toMatchObject({ status: 409 });
  expect(await db.event.count({ where: { type: "approval.resolved", subject: { in: ids } } })).toBe(100);
});

test("delays only the batched request that waits for a locked row", async () => {
  const { app } = await anAppWith(...all);
  const ids = (await Promise.all(times(5, () => submit(app)))).map(({ id }) => id);
  let done = 0;
  const work: Promise<unknown>[] = [];
  await holding(`SELECT FROM approval WHERE id = '${ids[2]}' FOR UPDATE`, async () => {
    work.push(...ids.map((id) => resolve(app, id).then(() => done++)));
    await expect.poll(() => done).toBe(4);
  });
  await Promise.all(work);
  expect(done).toBe(5);
});

test("enforces the limit on pending questions within a batch", async () => {
  configure({ MAX_PENDING: "7" });
  const { owner, clientId, app } = await anAppWith(...all);
  const { app: second } = await aTokenFor(owner, clientId, ["approvals:write"]);
  const others = await anAppWith(...all);
  const soon = { expiresAt: Date.now() + 1_000 };
  const work = times(20, (at) => submit(at % 2 ? app : second, at < 4 ? soon : {}));
  const said = await outcomes([...work, ...times(7, () => submit(others.app))]);
  const count = (what: unknown, of: unknown[]) =>
    of.filter((it) => (typeof it === "object" ? "made" : it) === what).length;
  expect([400, "made", 429].map((what) => count(what, said.slice(0, 20)))).toEqual([4, 7, 9]);
  expect(count("made", said.slice(20))).toBe(7);
});

test("enforces the limit on pending questions across batches", async () => {
  configure({ MAX_PENDING: "530" });
  const { app } = await anAppWith(...all);
  const said = await outcomes(times(550, () => submit(app)));
  expect(said.filter((it) => it === 429)).toHaveLength(20);
  expect(said.filter((it) => typeof it === "object")).toHaveLength(530);
});

test("validates each answer in a batch against its own question", async () => {
  const asked = await Promise.all(
    times(6, async () => {
      const { app, owner } = await anAppWith(...all);
      return { owner, id: (await submit(app)).id };
    }),
  );
  const [mine, foreign] = asked as [(typeof asked)[0], (typeof asked)[0]];
  const [said, count] = await counting("UPDATE approval a SET status", () =>
    outcomes([
      ...asked
        .slice(2)
        .map(({ owner, id }) => resolveApproval(owner, id, yes, { contentHash: contentHash(aQuestion) })),
      resolveApproval(mine.owner, foreign.id, yes),
      resolveApproval(mine.owner, mine.id, yes, { contentHash: "sha256:other" }),
    ]),
  );
  expect(said).toEqual([undefined, undefined, undefined, undefined, 404, 409]);
  expect(count).toBe(1);
});

test("shows only one of several notifications with the same key", async () => {
  const { app, owner } = await anAppWith(...all);
  const push = (at: number) =>
    pushNotification(to(app, "notifications:write"), {
      title: `Build ${at}`,
      body: "",
      data: { inbox: { dedupeKey: "build" } },
    });
  await Promise.all(times(5, push));
  const { rows } = await pool().query("SELECT title FROM open_notification WHERE owner_id = $1", [owner.ownerId]);
  expect(rows).toEqual([{ title: expect.stringMatching(/^Build \d$/) }]);
});

test("runs the query for identical lists only once in a batch", async () => {
  const { owner, clientId, app } = await anAppWith(...all);
  const { app: other } = await aTokenFor(owner, clientId, ["approvals:read"]);
  const { app: writer } = await aTokenFor(owner, clientId, ["approvals:write"]);
  const { app: stranger } = await anAppWith(...all);
  const nobody: AppActor = { ...app, tokenHash: hashSecret(unknownSecret("at")) };
  const [{ id }, { id: theirs }] = [await submit(app), await submit(stranger)];
  const list = (who: AppActor, limit = 10) => {
    const actor = to({ ...who }, "approvals:read");
    return listApprovals(actor, { limit }).then(({ text }) => [
      (JSON.parse(text) as { data: { _id: string }[] }).data.map((it) => it._id),
      actor.admitted?.grantId !== undefined,
    ]);
  };
  const texts = vi.spyOn(pg.Client.prototype, "query");
  const said = await outcomes([
    ...times(10, () => list(app)),
    ...[list(other), list(stranger), list(writer), list(writer), list(nobody), list(app, 5)],
  ]);
  const sent = statementsWith("string_agg", texts);
  const own = [[id], true];
  expect(said).toEqual([...times(11, () => own), [[theirs], true], 403, 403, 401, own]);
  // One statement reads each token's list once, and the other reads the page of five items.
  expect(sent).toHaveLength(2);
});

test("reads each list in a separate statement after the lists prove long", async () => {
  const apps = (await Promise.all(times(3, () => anAppWith(...all)))).map(({ app }) => app);
  const long = { backgroundContext: "x".repeat(20_000) };
  await Promise.all(apps.flatMap((app) => times(14, () => submit(app, long))));
  const read = (app: AppActor) => listApprovals(to({ ...app }, "approvals:read"), { limit: 14 });
  const [first, before] = await counting("string_agg", () => Promise.all(apps.map(read)));
  for (const { text } of first) expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(14);
  const [, after] = await counting("string_agg", () => Promise.all(apps.map(read)));
  expect([before, after]).toEqual([1, 3]);
});

test("uses index lookups for batched queries even on a small table", async () => {
  configure({ MAX_PENDING: "0" });
  const { owner, clientId, app } = await anAppWith(...all);
  const tokens: AppActor[] = [];
  for (let at = 0; at < 12; at++) tokens.push((await aTokenFor(owner, clientId, all)).app);
  const ids = (await Promise.all(times(200, () => submit(app)))).map(({ id }) => id);
  await pool().query("VACUUM ANALYZE");
  const plans = await notePlans(process.env.DATABASE_URL ?? "");
  // From the sixth execution on a connection, PostgreSQL considers a generic plan.
  for (let at = 0; at < 10; at++) {
    const some = ids.splice(0, 20);
    await Promise.all(some.map((id) => getApproval(to(app, "approvals:read"), id)));
    await Promise.all(some.map((id) => resolve(app, id)));
    await Promise.all(times(20, () => submit(app)));
    await Promise.all(tokens.map((one) => listApprovals(to(one, "approvals:read"), { limit: 10 })));
  }
  expect(plans.filter(({ statement }) => /json_to_recordset.*string_agg/s.test(statement)).length).toBeGreaterThan(10);
  const scans = plans.flatMap(({ statement, scans }) =>
    statement.includes("json_to_recordset") ? scans.map(({ how, table }) => `${how} ${table}`) : [],
  );
  expect(new Set(scans.filter((scan) => scan.endsWith(" approval")))).toEqual(new Set(["Index Scan approval"]));
});
