import { afterAll, beforeAll, expect, test } from "vitest";
import type { AppActor } from "@/lib/actor";
import { submitApproval } from "@/lib/approvals/approvals";
import { db, pool } from "@/lib/database/db";
import { sqlState } from "@/lib/errors";
import { countWith } from "@/lib/telemetry/declare-metrics";
import { anAppWith } from "@/lib/testing/factories";
import { realDatabaseTimeouts } from "@/lib/testing/real-database-timeouts";
import { aQuestion } from "@/lib/testing/sample-question";

beforeAll(() =>
  pool().query(`CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.question = 'poison slow' THEN PERFORM pg_sleep(60); END IF;
      RAISE EXCEPTION 'poisoned' USING ERRCODE = substr(NEW.question, 8); END $$;
    CREATE TRIGGER refuse_poison AFTER INSERT ON approval FOR EACH ROW WHEN (NEW.question LIKE 'poison %')
      EXECUTE FUNCTION refuse_poison()`),
);
afterAll(() => pool().query("DROP FUNCTION refuse_poison() CASCADE"));

const submit = (app: AppActor, question: string) =>
  submitApproval({ ...app, needs: "approvals:write" }, { ...aQuestion, question });
const questions = Array.from({ length: 100 }, (_, at) => `Ship ${at}?`);

/**
 * Sends a hundred concurrent requests, one of which is bad. Asserts that failed requests leave no
 * rows, and that every other request takes effect exactly once.
 * @returns the failed requests with their errors, and the kinds of retries
 */
async function submitWith(bad: string) {
  const counted = new Set<string>();
  countWith(({ name }, labels) => name === "countersign_batch_fallbacks_total" && counted.add(labels.join()));
  const { app, owner } = await anAppWith("approvals:write");
  const said = await Promise.allSettled(questions.map((question, at) => submit(app, at === 37 ? bad : question)));
  countWith(undefined);
  const rows = await db.approval.findMany({ where: { ownerId: owner.ownerId }, select: { question: true } });
  const done = questions.filter((_, at) => said[at]?.status === "fulfilled");
  expect(rows.map(({ question }) => question).sort()).toEqual([...done].sort());
  const events = await db.event.count({ where: { ownerId: owner.ownerId, type: "approval.submitted" } });
  expect(events).toBe(done.length);
  const failed = new Map(
    said.flatMap((it, at) => (it.status === "rejected" ? [[at, sqlState(it.reason)] as const] : [])),
  );
  return { failed, counted };
}
const alone = (state: string, fallBack: string) => ({ failed: new Map([[37, state]]), counted: new Set([fallBack]) });

test.each(["22000", "23514", "40001", "40P01", "XX001", "53100", "P0001"])(
  "fails only the request that raises SQLSTATE %s",
  async (state) => expect(await submitWith(`poison ${state}`)).toEqual(alone(state, "each")),
);

test.each(["57014", "55P03"])("fails only the request that raises the timeout %s", async (state) =>
  expect(await submitWith(`poison ${state}`)).toEqual(alone(state, "halves")),
);

test("completes nearly all of a hundred requests despite a slow request", async () => {
  // A quarter of the usual test timeouts, because this test waits until several have passed.
  await realDatabaseTimeouts(4);
  const { failed, counted } = await submitWith("poison slow");
  expect(counted).toEqual(new Set(["halves"]));
  expect(failed.get(37)).toBe("57014");
  // On a slow machine, a few other requests may also time out, but no more than this.
  expect(failed.size).toBeLessThanOrEqual(16);
});
