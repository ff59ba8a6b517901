import { expect, test } from "vitest";
import { submitApproval } from "../approvals/approvals";
import { contentHash } from "../approvals/content-hash";
import { holdAnswer, undoAnswers } from "../approvals/held-answers";
import { addToApproval } from "../approvals/thread/additions";
import { askClarification } from "../approvals/thread/clarifications";
import { snoozeApprovals, unsnoozeApprovals } from "../approvals/triage";
import { anAppWith } from "../testing/factories";
import { aQuestion } from "../testing/sample-question";
import { db, pool, type Transaction } from "./db";
import { retryOnConflict } from "./retry-conflict";
import { sql } from "./sql";

test("retries a transaction after a deadlock", async () => {
  await db.$executeRaw`INSERT INTO throttle (key, failures, expires_at) VALUES ('a', 0, now()), ('b', 0, now())`;
  const add = (tx: Transaction, key: string) =>
    tx.$executeRaw`UPDATE throttle SET failures = failures + 1 WHERE key = ${key}`;
  let [began, waiting] = [0, 2];
  let bothHold = () => {};
  const both = new Promise<void>((resolve) => (bothHold = resolve));
  let oneCommitted = () => {};
  const committed = new Promise<void>((resolve) => (oneCommitted = resolve));
  const crossing = async (first: string, second: string) => {
    await db.$transaction(async (tx) => {
      // The retry waits for the other transaction. Otherwise, the two could deadlock again.
      if (++began === 3) await committed;
      await add(tx, first);
      if (--waiting === 0) bothHold();
      await both;
      await add(tx, second);
    });
    oneCommitted();
  };
  await Promise.all([crossing("a", "b"), crossing("b", "a")]);
  expect(began).toBe(3);
  expect(await db.throttle.findMany({ where: { key: { in: ["a", "b"] }, failures: 2 } })).toHaveLength(2);
});

test("throws the error after a second conflict or any other failure", async () => {
  let times = 0;
  const failing = (code: string) => () => {
    times++;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
  await expect(retryOnConflict(failing("40001"))).rejects.toThrow("40001");
  expect(times).toBe(2);
  await expect(retryOnConflict(failing("23505"))).rejects.toThrow("23505");
  expect(times).toBe(3);
});

/** Makes PostgreSQL reject the first write to this table, as in a deadlock. */
async function endFirstWriteOf(table: string) {
  await pool().query(`DROP SEQUENCE IF EXISTS writes CASCADE; CREATE SEQUENCE writes;
    CREATE OR REPLACE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('writes') = 1 THEN RAISE SQLSTATE '40P01'; END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER end_first AFTER INSERT OR UPDATE ON ${table} EXECUTE FUNCTION end_first()`);
}

const asked = async () => {
  const { owner, app } = await anAppWith("approvals:write", "approvals:resolve");
  return { owner, app, id: (await submitApproval(app, aQuestion)).id };
};
type AskedQuestion = Awaited<ReturnType<typeof asked>>;
const yes = { kind: "option", optionId: "ship" } as const;

test.each<[string, string, (it: AskedQuestion) => Promise<unknown>]>([
  ["an app asks a question", "approval", ({ app }) => submitApproval(app, aQuestion)],
  ["an app adds context", "approval_addition", ({ app, id }) => addToApproval(app, id, { text: "More" })],
  [
    "an owner's answer is held",
    "approval_triage",
    ({ owner, id }) => holdAnswer(owner, { id, answer: yes, seconds: 5, seen: contentHash(aQuestion) }),
  ],
  ["an owner undoes an answer", "approval_triage", ({ owner, id }) => undoAnswers(owner, [id])],
  ["an owner unsnoozes a question", "approval_triage", ({ owner, id }) => unsnoozeApprovals(owner, [id])],
  ["an owner asks for clarification", "approval_question", ({ owner, id }) => askClarification(owner, id, "Why?")],
])("retries after a conflict when %s", async (_, table, write) => {
  const it = await asked();
  await snoozeApprovals(it.owner, [it.id], { choice: "hour", timeZone: "UTC" });
  await endFirstWriteOf(table);
  await write(it);
  const tried = await sql<{ times: number }>`SELECT last_value::int AS times FROM writes`.row();
  expect(tried?.times).toBeGreaterThan(1);
  await pool().query(`DROP TRIGGER end_first ON ${table}`);
});

test("retries a whole transaction instead of the failed statement", async () => {
  await endFirstWriteOf("throttle");
  const add = sql`INSERT INTO throttle (key, failures, expires_at) VALUES ('within', 0, now())`;
  let began = 0;
  await db.$transaction(async (tx) => {
    began++;
    await add.run(tx);
  });
  expect(began).toBe(2);
  await pool().query("DROP TRIGGER end_first ON throttle");
});
