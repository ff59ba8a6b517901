import { describe, expect, test } from "vitest";
import { db, pool } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { sendDueAnswers } from "@/lib/testing/chores";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { getApproval, resolveApproval, submitApproval } from "../approvals";
import { holdAnswer } from "../held-answers";
import { countInbox, readApproval } from "../inbox-queries";
import type { Approval } from "../schema";
import { exportApprovals, searchApprovals } from "../search";
import { snoozeApprovals } from "../triage";
import { addToApproval } from "./additions";
import { askClarification } from "./clarifications";
import { reportOutcome } from "./report-outcome";

const { ask } = await startFront();
const ship = { kind: "option", optionId: "ship" } as const;

/** Creates an app, and has it ask its owner a question. */
async function asked() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const { id } = await submitApproval(made.app, aQuestion);
  const post = (what: string, body: unknown, headers: Record<string, string> = {}) =>
    ask("POST", `/api/approvals/${id}/${what}`, { token: made.token, body, headers });
  const read = async () => JSON.parse((await getApproval(made.app, id)).text) as Approval;
  const eventsOf = async (type: string) => db.event.findMany({ where: { subject: id, type }, orderBy: { id: "asc" } });
  return { ...made, id, post, read, eventsOf };
}

const waitingIds = async (
  owner: { kind: "owner"; ownerId: string },
  list: "waiting" | "asked" | "snoozed" = "waiting",
) => (await searchApprovals(owner, { list })).approvals.map(({ _id }) => _id);

test("omits thread fields from an approval without a thread", async () => {
  const { read } = await asked();
  for (const field of ["additions", "questions", "outcome"]) expect(await read()).not.toHaveProperty(field);
});

test("returns clarifications, additions and reports to both the owner and the app", async () => {
  const { app, owner, id, read, eventsOf } = await asked();
  const before = await read();
  await askClarification(owner, id, 'Which tests?\n"All"?');
  const { createdAt } = await addToApproval(app, id, { text: "**212** of 212\\n 🙂" });
  await askClarification(owner, id, "And the soak test?");
  await addToApproval(app, id, { text: "Ended at 17:40." });
  await resolveApproval(owner, id, ship);
  await reportOutcome(app, id, { status: "started" });
  await reportOutcome(app, id, { status: "done", text: "Deployed “418”", link: "https://ci.example/builds/418" });

  const { additions, questions, outcome, status, resolution, ...rest } = await read();
  expect(rest.contentHash).not.toBe(before.contentHash);
  expect({ ...rest, contentHash: before.contentHash, status: "pending" }).toEqual(before);
  const at = expect.any(Number);
  expect(additions).toEqual([
    { text: "**212** of 212\\n 🙂", createdAt },
    { text: "Ended at 17:40.", createdAt: at },
  ]);
  expect(questions).toEqual([
    { text: 'Which tests?\n"All"?', createdAt: at },
    { text: "And the soak test?", createdAt: at },
  ]);
  const done = { status: "done", text: "Deployed “418”", link: "https://ci.example/builds/418", reportedAt: at };
  expect(outcome).toEqual(done);
  expect([status, resolution?.resolvedBy]).toEqual(["resolved", "owner"]);

  const owned = await readApproval(owner, id);
  expect(owned).toMatchObject({ additions, questions, outcomes: [{ status: "started", reportedAt: at }, done] });
  expect(owned.outcomes[0]).not.toHaveProperty("text");
  expect((await eventsOf("approval.question_asked")).map(({ data }) => data)).toEqual([{ nth: 1 }, { nth: 2 }]);
  expect(await eventsOf("approval.addition_made")).toHaveLength(2);
  expect((await eventsOf("approval.outcome_reported")).map(({ data }) => data)).toEqual([
    { nth: 1, outcome: "started" },
    { nth: 2, outcome: "done" },
  ]);
});

describe("questions with a clarification", () => {
  test("hides a question with a clarification until the app adds context", async () => {
    const { app, owner, id } = await asked();
    const other = (await submitApproval(app, aQuestion)).id;
    await askClarification(owner, id, "Why now?");
    expect([await waitingIds(owner), await waitingIds(owner, "asked")]).toEqual([[other], [id]]);
    expect((await countInbox(owner)).waiting).toBe(1);
    expect((await readApproval(owner, id)).triage).toMatchObject({ askedBack: true, seen: true });
    await addToApproval(app, id, { text: "Because." });
    expect([await waitingIds(owner), await waitingIds(owner, "asked")]).toEqual([[id, other], []]);
    expect((await countInbox(owner)).waiting).toBe(2);
    expect((await readApproval(owner, id)).triage).toMatchObject({ askedBack: false, seen: false });
    const { returnedAt } = await db.approvalTriage.findUniqueOrThrow({ where: { approvalId: id } });
    expect(returnedAt).not.toBeNull();
  });

  test("lets the owner answer or snooze a question that has a clarification", async () => {
    const { owner, id } = await asked();
    await askClarification(owner, id, "Why now?");
    await snoozeApprovals(owner, [id], { choice: "hour", timeZone: "UTC" });
    expect([await waitingIds(owner, "asked"), await waitingIds(owner, "snoozed")]).toEqual([[], [id]]);
    await askClarification(owner, id, "Or later?");
    expect([await waitingIds(owner, "asked"), await waitingIds(owner, "snoozed")]).toEqual([[id], []]);
    expect((await answerApproval(owner, id, ship)).won).toBe(true);
    expect((await readApproval(owner, id)).triage.askedBack).toBe(false);
  });

  test("returns a question with a clarification to the inbox after an undone answer", async () => {
    const { owner, id } = await asked();
    await askClarification(owner, id, "Why now?");
    const { contentHash: seen } = await readApproval(owner, id);
    await holdAnswer(owner, { id, answer: ship, seconds: 30, seen });
    await expect(askClarification(owner, id, "Wait")).rejects.toMatchObject({ status: 409 });
    await db.$executeRaw`UPDATE approval_triage SET held_answer = NULL, commit_at = NULL, held_hash = NULL WHERE approval_id = ${id}`;
    expect(await waitingIds(owner)).toEqual([id]);
  });
});

describe("invalid thread entries", () => {
  test("rejects thread entries that the approval's status does not allow", async () => {
    const { owner, id, post, read } = await asked();
    const early = await post("outcome", { status: "done" });
    expect([early.status, early.body]).toEqual([409, { error: "The approval is not resolved yet" }]);
    await resolveApproval(owner, id, ship);
    const late = await post("additions", { text: "More" });
    expect([late.status, late.body]).toEqual([409, { error: "Already resolved" }]);
    await expect(askClarification(owner, id, "Why?")).rejects.toMatchObject({
      status: 409,
      message: "Already resolved",
    });
    for (const field of ["additions", "questions", "outcome"]) expect(await read()).not.toHaveProperty(field);
    expect((await readApproval(owner, id)).triage.askedBack).toBe(false);
  });

  test("rejects additions beyond the total size limit", async () => {
    const { post, read } = await asked();
    expect((await post("additions", { text: "x".repeat(19_000) })).status).toBe(200);
    expect((await post("additions", { text: "x".repeat(1_001) })).status).toBe(409);
    expect((await post("additions", { text: "\u{1f680}".repeat(1_000) })).status).toBe(200);
    expect((await post("additions", { text: "x" })).status).toBe(409);
    expect((await read()).additions).toHaveLength(2);
  });

  test("rejects more than twenty thread entries of each type", async () => {
    const { owner, id, post, read } = await asked();
    for (let n = 1; n <= 20; n++) {
      await askClarification(owner, id, `Question ${n}`);
      expect((await post("additions", { text: `Addition ${n}` })).status).toBe(200);
    }
    expect((await post("additions", { text: "One more" })).body).toEqual({
      error:
        "An approval accepts at most 20 additions with 20,000 characters in total. Send a shorter addition, or submit a new approval.",
    });
    await expect(askClarification(owner, id, "One more?")).rejects.toMatchObject({ status: 409 });
    await resolveApproval(owner, id, ship);
    for (let n = 1; n <= 20; n++) expect((await post("outcome", { status: "started", text: `${n}` })).status).toBe(200);
    expect((await post("outcome", { status: "done" })).body).toEqual({
      error: "Too many outcome reports (limit 20). The last accepted report remains the outcome.",
    });
    const { additions = [], questions = [], outcome } = await read();
    expect(additions.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `Addition ${n + 1}`));
    expect([questions.length, outcome?.text]).toEqual([20, "20"]);
  });

  test("rejects a clarification request about another owner's approval", async () => {
    const { id } = await asked();
    for (const wrong of [id, newId("apr"), "x'; --"])
      await expect(askClarification(await anOwner(), wrong, "Mine?")).rejects.toMatchObject({ status: 404 });
    expect(await db.approvalQuestion.count({ where: { approvalId: id } })).toBe(0);
    expect(await db.approvalTriage.count({ where: { approvalId: id } })).toBe(0);
  });

  test.each([
    ["additions", {}],
    ["additions", { text: "" }],
    ["additions", { text: " \u200b " }],
    ["additions", { text: "x".repeat(20_001) }],
    ["additions", { text: "a\u202eb" }],
    ["additions", { text: "a\0b" }],
    ["additions", { text: "More", createdAt: 0 }],
    ["outcome", {}],
    ["outcome", { status: "DONE" }],
    ["outcome", { status: "done", text: "" }],
    ["outcome", { status: "done", text: "x".repeat(2_001) }],
    ["outcome", { status: "done", link: "http://ci.example/" }],
    ["outcome", { status: "done", link: "javascript:alert(1)" }],
    ["outcome", { status: "done", link: "https://bank.example@ci.example/" }],
    ["outcome", { status: "done", link: " https://ci.example/" }],
    ["outcome", { status: "done", link: "https://ci.example/a\u202eb" }],
    ["outcome", { status: "done", link: `https://ci.example/${"x".repeat(2_000)}` }],
    ["outcome", { status: "done", reportedAt: 0 }],
  ])("returns 400 for an invalid body at the path /%s: %j", async (what, body) => {
    const { owner, id, post, read } = await asked();
    if (what === "outcome") await resolveApproval(owner, id, ship);
    const { status, body: said } = await post(what, body);
    expect([status, said]).toEqual([400, { error: "Bad request", details: expect.any(Array) }]);
    for (const field of ["additions", "outcome"]) expect(await read()).not.toHaveProperty(field);
  });

  test("rejects direct changes to a thread in the database", async () => {
    const { app, owner, id } = await asked();
    await askClarification(owner, id, "Why?");
    await addToApproval(app, id, { text: "Because" });
    await resolveApproval(owner, id, ship);
    await reportOutcome(app, id, { status: "failed" });
    const refused = (sql: string) => expect(db.$executeRawUnsafe(sql, id)).rejects.toThrow("not allowed");
    for (const table of ["approval_question", "approval_addition", "approval_outcome"]) {
      await refused(`UPDATE ${table} SET text = 'Other' WHERE approval_id = $1`);
      await refused(`UPDATE ${table} SET created_at = now() WHERE approval_id = $1`);
      await refused(`DELETE FROM ${table} WHERE approval_id = $1`);
    }
    // Triggers may change `thread_json`, but such a change must not allow changes to other columns.
    await refused(
      `UPDATE approval SET thread_json = '', resolution = '{"kind":"other","otherText":"x","resolvedBy":"owner"}' WHERE id = $1`,
    );
    await refused("UPDATE approval SET thread_json = '', resolved_at = now() WHERE id = $1");
    await refused("UPDATE approval SET thread_json = '', question = 'Other?' WHERE id = $1");
    await refused("UPDATE approval SET status = status WHERE id = $1");
    expect((await readApproval(owner, id)).outcomes).toHaveLength(1);
  });
});

describe("concurrent thread entries", () => {
  test("keeps exactly twenty of thirty concurrent additions and preserves their order", async () => {
    const { id, token, read } = await asked();
    const add = async (n: number): ReturnType<typeof ask> => {
      const reply = await ask("POST", `/api/approvals/${id}/additions`, { token, body: { text: `Addition ${n}` } });
      // All requests wait for the same row, so some may be told to retry on a busy machine.
      return reply.status === 503 ? add(n) : reply;
    };
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => add(n)));
    const kept = replies.flatMap(({ status }, n) => (status === 200 ? [`Addition ${n}`] : []));
    expect(kept).toHaveLength(20);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(10);
    const { additions = [] } = await read();
    expect(additions.map(({ text }) => text).sort()).toEqual(kept.sort());
    const times = additions.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test("orders a concurrent addition before the answer or rejects the addition", async () => {
    for (let round = 0; round < 20; round++) {
      const { app, owner, id, read } = await asked();
      const [added] = await Promise.allSettled([
        addToApproval(app, id, { text: "Wait!" }),
        resolveApproval(owner, id, ship),
      ]);
      const { status, additions, resolution } = await read();
      expect(status).toBe("resolved");
      if (added.status === "rejected") {
        expect(added.reason).toMatchObject({ status: 409, message: "Already resolved" });
        expect(additions).toBeUndefined();
      } else {
        expect(additions).toHaveLength(1);
        expect(added.value.createdAt).toBeLessThanOrEqual(resolution?.resolvedAt ?? 0);
      }
    }
  });

  test("processes concurrent thread entries, snoozes and held answers without deadlocks", async () => {
    for (let round = 0; round < 8; round++) {
      const { app, owner, id, read } = await asked();
      const { contentHash: seen } = await readApproval(owner, id);
      await holdAnswer(owner, { id, answer: ship, seconds: 0, seen });
      const outcomes = await Promise.allSettled([
        sendDueAnswers(),
        askClarification(owner, id, "Why?"),
        addToApproval({ ...app }, id, { text: "Because" }),
        snoozeApprovals(owner, [id], { choice: "hour", timeZone: "UTC" }),
        addToApproval({ ...app }, id, { text: "And so" }),
        sendDueAnswers(),
      ]);
      for (const it of outcomes) if (it.status === "rejected") expect(it.reason).toMatchObject({ status: 409 });
      await sendDueAnswers();
      const { resolution, additions } = await read();
      // The answer counts unless the question changed first.
      if (resolution) expect(resolution).toMatchObject({ optionId: "ship", resolvedBy: "owner" });
      else expect(additions?.length).toBeGreaterThan(0);
    }
  });

  test("records only one entry for a repeated Idempotency-Key", async () => {
    const { owner, id, post, read } = await asked();
    const key = { "idempotency-key": "a1" };
    const send = () => post("additions", { text: "Once" }, key);
    const [first, second, third] = [...(await Promise.all([send(), send()])), await send()];
    expect([first, second, third].map((reply) => reply?.status)).toEqual([200, 200, 200]);
    expect(new Set([first?.text, second?.text, third?.text]).size).toBe(1);
    expect((await read()).additions).toHaveLength(1);
    await resolveApproval(owner, id, ship);
    // A replay works even when a new request would be rejected.
    expect((await send()).headers.get("idempotent-replayed")).toBe("true");
    for (const _ of [1, 2]) expect((await post("outcome", { status: "done" }, key)).status).toBe(200);
    expect((await readApproval(owner, id)).outcomes).toHaveLength(1);
  });
});

test("finds approvals by clarifications, additions and reports", async () => {
  const { app, owner, id } = await asked();
  await askClarification(owner, id, "What about the marmalade?");
  await addToApproval(app, id, { text: 'The quince is "ripe"' });
  const found = async (text: string, list: "asked" | "waiting" | "answered") =>
    (await searchApprovals(owner, { list, text })).approvals.map(({ _id }) => _id);
  expect(await found("marmalade", "waiting")).toEqual([id]);
  expect(await found('"ripe"', "waiting")).toEqual([id]);
  expect(await found("gooseberry", "waiting")).toEqual([]);
  await resolveApproval(owner, id, ship);
  await reportOutcome(app, id, { status: "failed", text: "The gooseberry was sour" });
  await reportOutcome(app, id, { status: "done" });
  expect(await found("gooseberry", "answered")).toEqual([id]);
  const [page] = [await exportApprovals(owner, { list: "answered" }).next()];
  expect(page?.value?.[0]).toMatchObject({ outcomes: [{ status: "failed" }, { status: "done" }] });
});

test("updates the thread column that approval lists read", async () => {
  const { app, owner, id } = await asked();
  await askClarification(owner, id, "Why?");
  await addToApproval(app, id, { text: "Because" });
  const { rows } = await pool().query(
    "SELECT thread_json, approval_thread_json(id) AS derived FROM approval WHERE id = $1",
    [id],
  );
  expect(rows[0].thread_json).toBe(rows[0].derived);
  const { body } = await ask("GET", "/api/approvals?status=pending", { token: (await asked()).token });
  expect((body as { data: Approval[] }).data[0]).not.toHaveProperty("questions");
});
