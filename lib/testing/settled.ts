import { expect } from "vitest";
import { pool } from "@/lib/database/db";

/*
 * Test files run at the same time, on databases of their own in one PostgreSQL. Another file's open transaction holds back
 * the event horizon, so a test that depends on earlier events waits for it here.
 */

/**
 * Once every event so far is settled: no open transaction, of another test file's either, is older. What somebody who begins to
 * listen then hears is news.
 */
export const settled = () =>
  expect
    .poll(
      async () =>
        (await pool().query("SELECT coalesce(bool_and(tx < event_horizon()), true) AS yes FROM event")).rows[0].yes,
    )
    .toBe(true);

/** Once this process asks the database nothing any more: what was under way for a caller who left is over. */
export const atRest = () =>
  expect
    .poll(() => {
      const { idleCount, totalCount, waitingCount } = pool();
      return totalCount - idleCount + waitingCount;
    })
    .toBe(0);
