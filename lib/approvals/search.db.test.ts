import { describe, expect, it, vi } from "vitest";
import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { poolOf } from "@/lib/testing/shards/database-of-owner";
import { statementsWith } from "@/lib/testing/spied-sql-statements";
import { searchReach } from "@/lib/text/record-search";
import { resolveApproval, submitApproval } from "./approvals";
import { ApprovalFilter, type NewApproval } from "./schema";
import { exportApprovals, oldestOfOtherApps, searchApprovals } from "./search";

const yesOrNo = [
  { id: "yes", label: "Yes, ship" },
  { id: "no", label: "Nein, später" },
];

/** Waits a moment, because events in the same millisecond have no defined order. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 3));

const someone = async () => {
  const { owner, app, clientId, name } = await anAppWith("approvals:write", "approvals:resolve");
  const ask = async (question: string, more: Partial<NewApproval> = {}) => {
    await aMoment();
    return (await submitApproval({ ...app, needs: "approvals:write" }, { question, options: yesOrNo, ...more })).id;
  };
  const itself = (id: string) =>
    resolveApproval({ ...app, needs: "approvals:resolve" }, id, { kind: "option", optionId: "no" });
  return { owner, app, clientId, name, ask, itself };
};

const found = async (owner: OwnerActor, filter: Record<string, string>, timeZone?: string) =>
  (await searchApprovals(owner, ApprovalFilter.parse(filter), timeZone)).approvals.map(({ question }) => question);

/** Creates answered approvals of the owner, one second apart. */
const fill = (ownerId: string, appId: string, count: number, by = "owner") => db.$executeRaw`
  INSERT INTO approval (id, owner_id, app_id, question, options, status, created_at, resolved_at, resolution)
  SELECT 'apr_' || lpad(to_hex(g), 12, '0') || left(md5(random()::text), 20), ${ownerId}, ${appId}, 'Old question ' || g || '?',
    '[{"id":"yes","label":"Yes"}]', 'resolved', now() - interval '1 day' - make_interval(secs => g), now() - make_interval(secs => g),
    json_build_object('kind', 'option', 'optionId', 'yes', 'resolvedBy', ${by}::text, 'resolvedAt', (extract(epoch FROM now()) * 1000)::bigint - g * 1000)
  FROM generate_series(1, ${count}::int) g`;

it("finds questions by words in any displayed text, regardless of case", async () => {
  const { owner, name, ask } = await someone();
  const first = await ask("Pay invoice 88?");
  const second = await ask("Reply to ÁNA?", { options: [{ id: "a", label: 'Say "no" \\ never' }] });
  const waiting = (text: string) => found(owner, { text });
  expect(await waiting("INVOICE 88")).toEqual(["Pay invoice 88?"]);
  expect(await waiting("ána")).toEqual(["Reply to ÁNA?"]);
  expect(await waiting("SPÄTER")).toEqual(["Pay invoice 88?"]);
  expect(await waiting('"no" \\')).toEqual(["Reply to ÁNA?"]);
  expect(await waiting(name.toLowerCase())).toEqual(["Pay invoice 88?", "Reply to ÁNA?"]);
  expect(await waiting(first)).toEqual(["Pay invoice 88?"]);
  expect(await waiting("invoice ana")).toEqual([]);
  // A search does not cover field names and option IDs. Wildcards match only themselves.
  for (const text of ["label", "note", "%", "_", ".*", "'; --", "\u0000"]) expect(await waiting(text)).toEqual([]);

  await answerApproval(owner, second, { kind: "other", otherText: "Only on Thursday", note: "Bring the umbrella" });
  const answered = (text: string) => found(owner, { list: "answered", text });
  expect(await answered("thursday")).toEqual(["Reply to ÁNA?"]);
  expect(await answered("umbrella THURSDAY ána")).toEqual(["Reply to ÁNA?"]);
  expect(await answered("invoice")).toEqual([]);
  expect(await waiting("thursday")).toEqual([]);
});

it("filters answers by app, respondent, type and day", async () => {
  const { owner, clientId, ask, itself } = await someone();
  const other = await anApp(owner);
  const second = await aTokenFor(owner, other.clientId, ["approvals:write"]);
  const elsewhere = await submitApproval(second.app, { question: "Elsewhere?", options: yesOrNo });
  const [mine, own, theirs] = [await ask("Mine?"), await ask("In my words?"), await ask("Its own?")];
  await answerApproval(owner, mine, { kind: "option", optionId: "yes" });
  await aMoment();
  await answerApproval(owner, own, { kind: "other", otherText: "Maybe" });
  await aMoment();
  await itself(theirs);
  await aMoment();
  await answerApproval(owner, elsewhere.id, { kind: "option", optionId: "yes" });
  const list = "answered";
  expect(await found(owner, { list })).toEqual(["Elsewhere?", "Its own?", "In my words?", "Mine?"]);
  expect(await found(owner, { list, by: "api" })).toEqual(["Its own?"]);
  expect(await found(owner, { list, by: "owner", appId: clientId })).toEqual(["In my words?", "Mine?"]);
  expect(await found(owner, { list, kind: "other" })).toEqual(["In my words?"]);
  expect(await found(owner, { list, appId: other.clientId })).toEqual(["Elsewhere?"]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await found(owner, { list, from: today, to: today })).toHaveLength(4);
  expect(await found(owner, { list, to: "2020-01-01" })).toEqual([]);
  // An invalid filter value is ignored.
  expect(await found(owner, { list, by: "nobody", kind: "%", appId: "'", from: "soon", after: "x" })).toHaveLength(4);
});

it("filters answers by day in the owner's time zone", async () => {
  const { owner, clientId } = await someone();
  await db.$executeRaw`INSERT INTO approval (id, owner_id, app_id, question, options, status, created_at, resolved_at, resolution)
    VALUES (${`apr_${owner.ownerId.slice(4)}`}, ${owner.ownerId}, ${clientId}, 'Late?', '[]', 'resolved', '2026-03-01T23:00:00Z',
      '2026-03-01T23:30:00Z', '{"kind":"other","otherText":"x","resolvedBy":"owner","resolvedAt":1}')`;
  const on = (day: string, zone: string) => found(owner, { list: "answered", from: day, to: day }, zone);
  expect([await on("2026-03-01", "UTC"), await on("2026-03-02", "UTC")]).toEqual([["Late?"], []]);
  expect([await on("2026-03-01", "Asia/Tokyo"), await on("2026-03-02", "Asia/Tokyo")]).toEqual([[], ["Late?"]]);
});

describe("pending questions", () => {
  it("pages through pending questions by age without gaps or duplicates", async () => {
    const { owner, ask, app } = await someone();
    const other = await anApp(owner);
    const second = await aTokenFor(owner, other.clientId, ["approvals:write"]);
    const ids: string[] = [];
    for (let at = 0; at < 60; at++) {
      const question = `Question ${at}?`;
      const asking = at % 2 ? second.app : app;
      ids.push(at % 2 ? (await submitApproval(asking, { question, options: yesOrNo })).id : await ask(question));
    }
    const all = async (sort?: string, text?: string) => {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const filter = ApprovalFilter.parse({ sort, text, after });
        const page = await searchApprovals(owner, filter);
        seen.push(...page.approvals.map(({ _id }) => _id));
        after = page.next;
      } while (after);
      return seen;
    };
    expect(await all()).toEqual(ids);
    expect(await all("newest")).toEqual([...ids].reverse());
    expect(await all("newest", "question")).toEqual([...ids].reverse());
    // A cursor remains valid after its approval was answered.
    await answerApproval(owner, ids[49] as string, { kind: "option", optionId: "yes" });
    const rest = await searchApprovals(owner, ApprovalFilter.parse({ after: ids[49] }));
    expect(rest.approvals.map(({ _id }) => _id)).toEqual(ids.slice(50));
  });

  it("pages through pending questions by risk without gaps or duplicates", async () => {
    const { owner, ask, clientId } = await someone();
    const earlier = Array.from({ length: 20 }, (_, at) => `apr_${String(at).padStart(32, "0")}`);
    await db.$executeRaw`
      INSERT INTO approval (id, owner_id, app_id, question, options, created_at)
      SELECT id, ${owner.ownerId}, ${clientId}, id, ${JSON.stringify(yesOrNo)}::json, now() - interval '2 days'
      FROM unnest(${earlier}::text[]) AS id`;
    const ids: string[] = [];
    for (let at = 0; at < 40; at++) ids.push(await ask(`Question ${at}?`, at % 2 ? { risk: "high" } : {}));
    const of = (place: number) => ids.filter((_, at) => at % 2 === place);
    const first = await searchApprovals(owner, ApprovalFilter.parse({}));
    const second = await searchApprovals(owner, ApprovalFilter.parse({ after: first.next }));
    const all = [...first.approvals, ...second.approvals];
    expect(all.map(({ _id }) => _id)).toEqual([...of(1), ...of(0), ...earlier]);
    const sectionNames = Array.from({ length: 20 }, () => ["care", "today", "earlier"]);
    expect(all.map(({ triage }) => triage.section)).toEqual(
      [0, 1, 2].flatMap((at) => sectionNames.map((it) => it[at])),
    );
  });

  it("lists pending questions with at most three SQL statements", async () => {
    const { owner, ask } = await someone();
    const reads = vi.spyOn(poolOf(owner), "query");
    const read = async () => {
      reads.mockClear();
      const page = await searchApprovals(owner, { list: "waiting" }, "UTC", 5);
      const others = await oldestOfOtherApps(owner, page);
      return [
        page.approvals.length,
        others.length,
        page.next !== undefined,
        statementsWith("a.owner_id = ", reads).length,
      ];
    };
    for (let at = 0; at < 5; at++) await ask(`Question ${at}?`);
    const [few, , , statements] = await read();
    expect([few, statements]).toEqual([5, 2]);
    for (let at = 0; at < 25; at++) await ask(`Later question ${at}?`);
    // Finding apps without a row on the page takes one extra statement.
    expect(await read()).toEqual([5, 0, true, 3]);
    reads.mockRestore();
  });

  it("lists snoozed questions separately", async () => {
    const { owner, ask } = await someone();
    const id = await ask("Later?");
    await ask("Now?");
    await db.approvalTriage.create({
      data: { approvalId: id, ownerId: owner.ownerId, snoozedUntil: new Date(Date.now() + 3_600_000) },
    });
    expect(await found(owner, {})).toEqual(["Now?"]);
    expect(await found(owner, { list: "snoozed" })).toEqual(["Later?"]);
    expect(await found(owner, { list: "snoozed", text: "now" })).toEqual([]);
  });
});

it("resumes a long search that stopped at its scan limit", async () => {
  const { owner, clientId, ask } = await someone();
  const id = await ask("The needle?");
  await db.$executeRaw`UPDATE approval SET status = 'resolved', resolved_at = now() - interval '2 days',
    resolution = '{"kind":"other","otherText":"x","resolvedBy":"owner","resolvedAt":1}' WHERE id = ${id}`;
  await fill(owner.ownerId, clientId, searchReach + 10);
  const first = await searchApprovals(owner, ApprovalFilter.parse({ list: "answered", text: "needle" }));
  expect(first.approvals).toEqual([]);
  expect(first.reached).toBeLessThan(Date.now() - (searchReach - 1) * 1000);
  const second = await searchApprovals(
    owner,
    ApprovalFilter.parse({ list: "answered", text: "needle", after: first.next }),
  );
  expect(second.approvals.map(({ question }) => question)).toEqual(["The needle?"]);
  expect(second.next).toBeUndefined();
  // The export is complete even if the search's page is not.
  const sizes: number[] = [];
  for await (const some of exportApprovals(owner, ApprovalFilter.parse({ list: "answered", text: "needle" })))
    sizes.push(some.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1);
});

it("exports in batches all approvals that match a filter", async () => {
  const { owner, clientId } = await someone();
  await fill(owner.ownerId, clientId, 450);
  await fill(owner.ownerId, clientId, 30, "api");
  const count = async (filter: Record<string, string>) => {
    const ids: string[] = [];
    for await (const some of exportApprovals(owner, ApprovalFilter.parse({ list: "answered", ...filter }))) {
      expect(some.length).toBeLessThanOrEqual(200);
      ids.push(...some.map(({ _id }) => _id));
    }
    return [ids.length, new Set(ids).size];
  };
  expect(await count({})).toEqual([480, 480]);
  expect(await count({ by: "api" })).toEqual([30, 30]);
  expect(await count({ text: "question 418?" })).toEqual([1, 1]);
});

it("hides other owners' questions", async () => {
  const { owner, clientId, ask } = await someone();
  const id = await ask("Mine?");
  const other = await anOwner();
  for (const text of ["mine", id]) expect(await found(other, { text })).toEqual([]);
  expect(await found(other, { appId: clientId })).toEqual([]);
  // Another owner's cursor returns nothing.
  const { app } = await aTokenFor(other, clientId, ["approvals:write"]);
  const theirs = (await submitApproval(app, { question: "Theirs?", options: yesOrNo })).id;
  expect(await found(owner, { after: theirs })).toEqual([]);
  expect(await found(owner, {})).toEqual(["Mine?"]);
});

it("returns the oldest pending question of each app that the page omits", async () => {
  const { owner, ask } = await someone();
  for (let at = 0; at < 51; at++) await ask(`Burst ${at}?`);
  const quiet = await anApp(owner);
  const { app } = await aTokenFor(owner, quiet.clientId, ["approvals:write"]);
  for (const question of ["Quiet?", "Quiet again?"]) {
    await aMoment();
    await submitApproval({ ...app, needs: "approvals:write" }, { question, options: yesOrNo });
  }
  const first = await searchApprovals(owner, ApprovalFilter.parse({}));
  expect(first.approvals.map(({ question }) => question)).not.toContain("Quiet?");
  expect((await oldestOfOtherApps(owner, first)).map(({ question }) => question)).toEqual(["Quiet?"]);
  const second = await searchApprovals(owner, ApprovalFilter.parse({ after: first.next }));
  expect(second.approvals.map(({ question }) => question)).toEqual(["Burst 50?", "Quiet?", "Quiet again?"]);
  expect(await oldestOfOtherApps(owner, second)).toEqual([]);
});
