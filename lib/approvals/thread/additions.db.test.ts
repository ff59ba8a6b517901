import { expect, test } from "vitest";
import { db, pool } from "@/lib/database/db";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { getApproval, resolveApproval, submitApproval } from "../approvals";
import { contentHash } from "../content-hash";
import { holdAnswer, sendAnswersNow } from "../held-answers";
import { readApproval } from "../inbox-queries";
import type { Approval } from "../schema";
import { searchApprovals } from "../search";
import { returnDueClarifications } from "../triage";
import { addToApproval } from "./additions";
import { askClarification } from "./clarifications";

const ship = { kind: "option", optionId: "ship" } as const;

/** Creates an owner's app, and a question that it asked. */
async function asked() {
  const made = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(made.app, aQuestion);
  return { ...made, id, read: async () => JSON.parse((await getApproval(made.app, id)).text) as Approval };
}

const waitingIds = async (owner: { kind: "owner"; ownerId: string }, list: "waiting" | "asked" = "waiting") =>
  (await searchApprovals(owner, { list })).approvals.map(({ _id }) => _id);

test("includes every addition in the content hash", async () => {
  const { app, id, read } = await asked();
  const before = await read();
  expect(before.contentHash).toBe(contentHash(aQuestion));
  await addToApproval(app, id, { text: 'It “ended” at\n\t17:40 \\ 🙂 "é"' });
  const once = await read();
  expect(once.contentHash).toBe(contentHash({ ...aQuestion, additions: once.additions ?? [] }));
  await addToApproval(app, id, { text: "And more" });
  const twice = await read();
  expect(twice.contentHash).toBe(contentHash({ ...aQuestion, additions: twice.additions ?? [] }));
  expect(new Set([before, once, twice].map(({ contentHash: hash }) => hash)).size).toBe(3);
});

test("rejects an answer to outdated content after an addition", async () => {
  const { app, owner, id, read } = await asked();
  const { contentHash: seen } = await readApproval(owner, id);
  await holdAnswer(owner, { id, answer: ship, seconds: 30, seen });
  await addToApproval(app, id, { text: "Wait!" });
  await sendAnswersNow(owner, [id]);
  expect((await read()).status).toBe("pending");
  expect((await readApproval(owner, id)).triage).toMatchObject({ changed: true, seen: false });
  await expect(resolveApproval(owner, id, ship, { contentHash: seen })).rejects.toMatchObject({
    status: 409,
    message: "This question has changed. Review the question, then answer again.",
  });
  expect((await answerApproval(owner, id, ship)).won).toBe(true);
});

test("rejects an answer after an addition was written directly to the database", async () => {
  const { owner, id } = await asked();
  const { contentHash: seen } = await readApproval(owner, id);
  await db.$executeRaw`INSERT INTO approval_addition (approval_id, owner_id, nth, text) VALUES (${id}, ${owner.ownerId}, 1, 'x')`;
  await expect(resolveApproval(owner, id, ship, { contentHash: seen })).rejects.toMatchObject({ status: 409 });
});

test("rejects additions and clarifications after the deadline", async () => {
  const { app, owner, id } = await asked();
  await askClarification(owner, id, "Why?");
  const until = async (seconds: number) => {
    await pool().query("ALTER TABLE approval DISABLE TRIGGER approval_content_is_immutable");
    await pool().query(
      "UPDATE approval SET expires_at = now() + make_interval(secs => $2), content_hash = NULL WHERE id = $1",
      [id, seconds],
    );
    await pool().query("ALTER TABLE approval ENABLE TRIGGER approval_content_is_immutable");
  };
  await until(7200);
  await returnDueClarifications();
  expect(await waitingIds(owner, "asked")).toEqual([id]);
  await pool().query("ALTER TABLE approval DISABLE TRIGGER approval_content_is_immutable");
  await pool().query("UPDATE approval SET created_at = now() - interval '1 day' WHERE id = $1", [id]);
  await pool().query("ALTER TABLE approval ENABLE TRIGGER approval_content_is_immutable");
  await until(600);
  await returnDueClarifications();
  expect([await waitingIds(owner, "asked"), await waitingIds(owner)]).toEqual([[], [id]]);
  await until(-1);
  const late = { status: 409, message: "Deadline passed" };
  await expect(addToApproval(app, id, { text: "More" })).rejects.toMatchObject(late);
  await expect(askClarification(owner, id, "More?")).rejects.toMatchObject(late);
});
