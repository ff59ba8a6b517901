import { expect, test } from "vitest";
import { db, pool } from "@/lib/database/db";
import { changeSettings } from "@/lib/owners/settings";
import { sendDueAnswers } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { answerApproval, answerBatch } from "./answer";
import { getApproval, resolveApproval, submitApproval } from "./approvals";
import { readApproval } from "./inbox-queries";
import type { Approval } from "./schema";

const ship = { kind: "option", optionId: "ship" } as const;
const changed = { status: 409, message: "This question has changed. Review the question, then answer again." };
const asker = async () => {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const read = async (id: string) => JSON.parse((await getApproval(made.app, id)).text) as Approval;
  const ask = async () => (await submitApproval(made.app, aQuestion)).id;
  const hashOf = async (id: string) => (await readApproval(made.owner, id)).contentHash;
  return { ...made, read, ask, hashOf };
};

/** Changes a row by direct database access. */
async function tamper(sql: string, id: string) {
  const client = await pool().connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    expect((await client.query(sql, [id])).rowCount).toBe(1);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

test("rejects an answer after a change to any part of the question", async () => {
  for (const change of [
    `question = 'Ship build 419 to production?'`,
    `options = replace(options::text, 'Ship now', 'Wait')::json`,
    `background_context = 'All is well'`,
    `recommendation = 'ship'`,
    `owner_only = true`,
    `risk = 'low'`,
    `options = replace(options::text, '"id":"wait"', '"style":"danger","id":"wait"')::json`,
    `content_hash = 'sha256:' || repeat('0', 64)`,
    // With both values changed, the row is consistent again but differs from the displayed
    // question.
    `question = 'Other?', content_hash = approval_content_hash('Other?', options, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false, NULL, NULL)`,
  ]) {
    const { owner, read, ask, hashOf } = await asker();
    const id = await ask();
    const seen = await hashOf(id);
    await tamper(`UPDATE approval SET ${change} WHERE id = $1`, id);
    await expect(answerApproval(owner, id, ship, seen), change).rejects.toMatchObject(changed);
    expect(await read(id), change).toMatchObject({ status: "pending" });
    expect(await db.event.count({ where: { subject: id, type: "approval.resolved" } })).toBe(0);
  }
});

test("rejects answers to a tampered question even after a reload", async () => {
  const { owner, read, ask, hashOf } = await asker();
  const id = await ask();
  await tamper(`UPDATE approval SET question = 'Other?' WHERE id = $1`, id);
  const { rows } = await pool().query("SELECT approval_current_hash(a) AS hash FROM approval a WHERE id = $1", [id]);
  for (const seen of [await hashOf(id), rows[0].hash as string])
    await expect(answerApproval(owner, id, ship, seen)).rejects.toMatchObject(changed);
  await expect(resolveApproval(owner, id, ship)).rejects.toMatchObject(changed);
  expect((await read(id)).status).toBe("pending");
});

test("prevents changes to a question in the database", async () => {
  const { owner, ask } = await asker();
  const id = await ask();
  for (const change of [
    "expires_at = now() + interval '1 day'",
    "owner_only = true",
    "default_option_id = 'ship', expires_at = now() + interval '1 day'",
    "risk = 'low'",
    "question = 'x'",
  ])
    await expect(pool().query(`UPDATE approval SET ${change} WHERE id = $1`, [id]), change).rejects.toThrow(
      "a question never changes",
    );
  const rehash = () =>
    pool().query("UPDATE approval a SET content_hash = approval_current_hash(a) WHERE id = $1", [id]);
  expect((await rehash()).rowCount).toBe(1);
  await answerApproval(owner, id, ship, (await readApproval(owner, id)).contentHash);
  await expect(rehash()).rejects.toThrow("resolves exactly once");
  // After the answer, `undelivered` can change only from true (not delivered) to false, and `simulated`
  // can't change.
  const change = (what: string) => pool().query(`UPDATE approval SET ${what} WHERE id = $1`, [id]);
  for (const what of ["simulated = true", "undelivered = true", "undelivered = false"])
    await expect(change(what), what).rejects.toThrow("resolves exactly once");
  const other = await ask();
  await pool().query("UPDATE approval SET undelivered = true WHERE id = $1", [other]);
  await answerApproval(owner, other, ship, (await readApproval(owner, other)).contentHash);
  const tell = (what: string) => pool().query(`UPDATE approval SET ${what} WHERE id = $1`, [other]);
  await expect(tell("undelivered = false, simulated = true")).rejects.toThrow("resolves exactly once");
  expect((await tell("undelivered = false")).rowCount).toBe(1);
  await expect(tell("undelivered = true")).rejects.toThrow("resolves exactly once");
});

test("rejects an answer with a wrong or empty content hash", async () => {
  const { owner, read, ask, hashOf, app } = await asker();
  const [one, two] = [await ask(), await ask()];
  const { id: other } = await submitApproval(app, { ...aQuestion, question: "Another?" });
  const wrong = await hashOf(other);
  for (const seen of [wrong, "", `${await hashOf(one)} `])
    await expect(answerApproval(owner, one, ship, seen)).rejects.toMatchObject(changed);
  const outcomes = await answerBatch(
    owner,
    [
      { id: one, seen: await hashOf(one) },
      { id: two, seen: wrong },
    ],
    ship,
  );
  expect(outcomes).toEqual([
    { id: one, won: true, resolution: expect.objectContaining(ship) },
    { id: two, message: changed.message },
  ]);
  expect([(await read(one)).status, (await read(two)).status]).toEqual(["resolved", "pending"]);
  // A late answer returns the valid resolution, even with a wrong hash.
  expect(await answerApproval(owner, one, ship, wrong)).toMatchObject({ won: false, resolution: ship });
});

test("discards a held answer when the question changes", async () => {
  const { owner, read, ask, hashOf } = await asker();
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await ask();
  await expect(answerApproval(owner, id, ship, "sha256:0")).rejects.toMatchObject(changed);
  expect((await answerApproval(owner, id, ship, await hashOf(id))).held).toMatchObject({ answer: ship });
  // The question's hash after the app added text to the question.
  const content =
    'approval_content_hash(question, options, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false, NULL, \'[{"text":"New","createdAt":1}]\')';
  await pool().query(`UPDATE approval SET content_hash = ${content} WHERE id = $1`, [id]);
  await pool().query("UPDATE approval_triage SET commit_at = now() - interval '1 second' WHERE approval_id = $1", [id]);
  await sendDueAnswers();
  expect((await read(id)).status).toBe("pending");
  const { triage } = await readApproval(owner, id);
  expect(triage).toMatchObject({ changed: true, seen: false });
  expect(triage.held).toBeUndefined();
  await pool().query("UPDATE approval a SET content_hash = approval_current_hash(a) WHERE id = $1", [id]);
  expect((await answerApproval(owner, id, ship, await hashOf(id))).held).toMatchObject({ answer: ship });
  expect((await readApproval(owner, id)).triage.changed).toBeUndefined();
});

test("never records an answer to content that changed concurrently", async () => {
  const { owner, read, ask, hashOf } = await asker();
  const outcomes = { answered: 0, changed: 0 };
  for (let round = 0; round < 30; round++) {
    const id = await ask();
    const seen = await hashOf(id);
    const other = `sha256:${"0".repeat(64)}`;
    const change = () =>
      pool().query("UPDATE approval SET content_hash = $2 WHERE id = $1 AND status = 'pending'", [id, other]);
    const answer = () => answerApproval(owner, id, ship, seen);
    const [result] = await Promise.allSettled(round % 2 ? [answer(), change()] : [answer(), change(), change()]);
    const { status, contentHash } = await read(id);
    expect([result?.status, status, contentHash]).toEqual(
      result?.status === "fulfilled" ? ["fulfilled", "resolved", seen] : ["rejected", "pending", other],
    );
    if (result?.status === "rejected") expect(result.reason).toMatchObject(changed);
    outcomes[result?.status === "fulfilled" ? "answered" : "changed"]++;
  }
  expect(outcomes.answered + outcomes.changed).toBe(30);
});
