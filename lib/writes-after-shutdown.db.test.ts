import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { submitApproval } from "./approvals/approvals";
import { holdAnswer } from "./approvals/held-answers";
import { readApproval } from "./approvals/inbox-queries";
import { closeDb, db, pool } from "./database/db";
import { anAppWith } from "./testing/factories";
import { aQuestion } from "./testing/sample-question";
import { urlOf } from "./testing/shards/database-of-owner";

afterEach(() => void vi.useRealTimers());

test("writes nothing to the database after its connections close", async () => {
  const { owner, app } = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(app, aQuestion);
  const { contentHash } = await readApproval(owner, id);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answer = { kind: "option", optionId: "ship" } as const;
  await holdAnswer(owner, { id, answer, seconds: 5, seen: contentHash, confirmed: true });
  await pool().query("UPDATE approval_triage SET commit_at = now() WHERE approval_id = $1", [id]);
  const observer = new pg.Client({ connectionString: urlOf(owner) });
  await observer.connect();
  try {
    await closeDb();
    vi.advanceTimersByTime(60_000);
    // Gives the write enough time for a connection and a few statements.
    await observer.query("SELECT pg_sleep(0.5)");
    const { rows } = await observer.query(
      `SELECT held_answer IS NOT NULL AS held,
          (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) AS connections
        FROM approval_triage WHERE approval_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ held: true, connections: 0 }]);
    expect(() => pool()).toThrow("closed its database connections");
    expect(() => db.approval).toThrow("closed its database connections");
  } finally {
    await observer.end();
  }
});
