import { expect } from "vitest";
import { answerApproval } from "@/lib/approvals/answer";
import { getApproval, submitApproval, tryResolve } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { recordPassedDeadlines } from "@/lib/approvals/deadlines";
import { holdAnswer, sendDueAnswers, undoAnswers } from "@/lib/approvals/held-answers";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { NewApproval } from "@/lib/approvals/schema";
import { withdrawAnswer } from "@/lib/approvals/use/withdraw-answer";
import { pool } from "@/lib/database/db";
import { recordUse } from "@/lib/receipts/use-answer";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { connectWithoutTriggers } from "./connection-without-triggers";
import { explore } from "./explore";
import { Crashed, step } from "./scheduler";

/* Each answer counts once, and everyone is told the same about it. */

const { owner, app } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
const withoutTriggers = await connectWithoutTriggers();
const ship = { kind: "option", optionId: "ship" } as const;
const wait = { kind: "option", optionId: "wait" } as const;

async function aPendingQuestion(more: Partial<NewApproval> = {}) {
  const question = { ...aQuestion, ...more } as NewApproval;
  const { id } = await submitApproval(app, question);
  return { id, seen: contentHash(question) };
}
type Read = { status: string; resolution?: { optionId?: string; resolvedBy: string } };
const read = async (id: string) => JSON.parse((await getApproval(app, id)).text) as Read;
const eventsOf = async (id: string) =>
  (await pool().query<{ type: string }>("SELECT type FROM event WHERE subject = $1 ORDER BY tx, id", [id])).rows.map(
    ({ type }) => type,
  );

explore({
  title: "records one answer of the app and of the owner's two devices, and returns the same to all",
  passing: ["app: begin", "reader: begin", "batch answered, not delivered", "change committed, not published"],
  begin: () => configure({ UNDO_SECONDS: "0" }),
  prepare: () => aPendingQuestion(),
  actors: ({ id, seen }) => ({
    app: () => tryResolve(app, id, wait),
    laptop: () => answerApproval(owner, id, ship, seen, { confirmed: true }),
    phone: () => answerApproval(owner, id, wait, seen, { confirmed: true }),
    reader: () => read(id),
  }),
  async check({ id }, outcomes) {
    const { resolution } = await read(id);
    const answers = [outcomes.app, outcomes.laptop, outcomes.phone].map((it) => {
      if (it.status === "rejected") throw it.reason;
      return it.value as { won?: boolean; resolution?: object };
    });
    expect(answers.filter(({ won }) => won)).toHaveLength(1);
    for (const answer of answers) expect(answer.resolution).toMatchObject(resolution as object);
    expect(await eventsOf(id)).toEqual(["approval.submitted", "approval.resolved"]);
    if (outcomes.reader.status === "rejected") throw outcomes.reader.reason;
    const early = outcomes.reader.value;
    if (early.status !== "pending") expect(early.resolution).toEqual(resolution);
  },
});

/** Creates a question whose deadline, in an hour, can be changed, and whose default is to wait. */
async function aQuestionWithDeadline() {
  const { id } = await aPendingQuestion({ expiresAt: Date.now() + 3_600_000, defaultOptionId: "wait" });
  // As after a freeze, which moved the deadline. The content hash does not contain the new one.
  await withoutTriggers.query(`BEGIN;
    UPDATE approval SET expires_at = now(), due_at = now() + interval '1 hour' WHERE id = '${id}';
    UPDATE approval a SET content_hash = approval_current_hash(a) WHERE id = '${id}';
    COMMIT`);
  return { id, seen: (await readApproval(owner, id)).contentHash };
}

/** SQL: now. Columns have milliseconds, and a time that is rounded up would be in the future. */
const now = "date_trunc('milliseconds', clock_timestamp())";
/** Lets the undo period of the answer end, if one is held. */
const endUndoPeriod = (id: string) =>
  pool().query(`UPDATE approval_triage SET commit_at = ${now} WHERE approval_id = $1 AND commit_at > ${now}`, [id]);
const passDeadline = (id: string) =>
  pool().query(`UPDATE approval SET due_at = ${now} WHERE id = $1 AND status = 'pending'`, [id]);

explore({
  title: "either undoes a held answer or sends it, while instances send, one crashes and the deadline passes",
  alone: true,
  begin: () => configure({ UNDO_SECONDS: "30" }),
  async prepare() {
    const { id, seen } = await aQuestionWithDeadline();
    await holdAnswer(owner, { id, answer: ship, seen, confirmed: true });
    return { id };
  },
  actors: ({ id }) => ({
    clock: async () => {
      await endUndoPeriod(id);
      await step("undo period ended");
      await passDeadline(id);
    },
    crashingInstance: () => sendDueAnswers(),
    deadlines: () => recordPassedDeadlines(),
    instance: () => sendDueAnswers().then(sendDueAnswers),
    owner: () => undoAnswers(owner, [id]),
  }),
  crashing: ["crashingInstance"],
  async check({ id }, { clock, deadlines, instance, owner: undo }) {
    for (const it of [clock, deadlines, instance, undo]) if (it.status === "rejected") throw it.reason;
    await sendDueAnswers();
    await recordPassedDeadlines();
    const { resolution } = await read(id);
    const isUndone = (undo as PromiseFulfilledResult<{ undone: string[] }>).value.undone.includes(id);
    expect(resolution).toMatchObject(isUndone ? { ...wait, resolvedBy: "api" } : { ...ship, resolvedBy: "owner" });
    expect((await eventsOf(id)).filter((type) => type === "approval.resolved")).toHaveLength(1);
  },
});

explore({
  title: "sends the held answer that devices show, although instances restart while they hold or send it",
  alone: true,
  begin: () => configure({ UNDO_SECONDS: "30" }),
  prepare: () => aPendingQuestion(),
  actors: ({ id, seen }) => ({
    clock: () => endUndoPeriod(id),
    laptop: () => answerApproval(owner, id, ship, seen, { confirmed: true }),
    phone: () => answerApproval(owner, id, wait, seen, { confirmed: true }),
    restarting: () => sendDueAnswers(),
    sending: () => sendDueAnswers(),
  }),
  crashing: ["laptop", "restarting"],
  async check({ id }, { laptop, phone, sending }) {
    if (sending.status === "rejected") throw sending.reason;
    await endUndoPeriod(id);
    await sendDueAnswers();
    const { resolution } = await read(id);
    expect(resolution).toMatchObject({ resolvedBy: "owner" });
    for (const it of [laptop, phone]) {
      if (it.status === "rejected") expect(it.reason).toBeInstanceOf(Crashed);
      else if (it.value.held) expect(resolution).toMatchObject(it.value.held.answer);
      else expect(it.value).toMatchObject({ won: false, resolution });
    }
    expect(await eventsOf(id)).toEqual(["approval.submitted", "approval.resolved"]);
  },
});

explore({
  title: "lets an answer be used once or withdrawn, and never both",
  passing: ["change committed, not published"],
  prepare: async () => {
    const question = { ...aQuestion, once: true } as NewApproval;
    const { id } = await submitApproval(app, question);
    const seen = contentHash(question);
    await tryResolve(owner, id, ship, { contentHash: seen });
    return { id, seen };
  },
  actors: ({ id, seen }) => ({
    first: () => recordUse(app, { id, contentHash: seen, key: "first" }),
    owner: () => withdrawAnswer(owner, id),
    repeated: () => recordUse(app, { id, contentHash: seen, key: "first" }),
    second: () => recordUse(app, { id, contentHash: seen, key: "second" }),
  }),
  async check({ id }, outcomes) {
    const done = (name: keyof typeof outcomes) => outcomes[name].status === "fulfilled";
    const used = [done("first") || done("repeated"), done("second"), done("owner")];
    expect(used.filter(Boolean)).toHaveLength(1);
    for (const { status, ...it } of Object.values(outcomes))
      if (status === "rejected") expect((it as PromiseRejectedResult).reason).toMatchObject({ status: 409 });
    if (outcomes.first.status === "fulfilled" && outcomes.repeated.status === "fulfilled")
      expect(outcomes.repeated.value).toEqual(outcomes.first.value);
    const kinds = (await pool().query("SELECT kind FROM approval_use WHERE approval_id = $1", [id])).rows;
    expect(kinds).toEqual([{ kind: done("owner") ? "withdrawn" : "used" }]);
  },
});
