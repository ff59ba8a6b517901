import { expect } from "vitest";
import { pool } from "@/lib/database/db";

/*
 * Test files run concurrently, with their own databases in one PostgreSQL, and another file's open
 * transaction delays the event horizon. A test that depends on earlier events therefore waits for
 * the horizon.
 */

/**
 * Waits until every event so far is below the horizon, which requires that no older transaction is
 * open, even in another test file. A listener that starts afterwards receives only new events.
 */
export const settled = () =>
  expect
    .poll(
      async () =>
        (await pool().query("SELECT coalesce(bool_and(tx < event_horizon()), true) AS yes FROM event")).rows[0].yes,
    )
    .toBe(true);

/**
 * Waits until this process sends no more queries, so that no work for disconnected callers remains.
 */
export const atRest = () =>
  expect
    .poll(() => {
      const { idleCount, totalCount, waitingCount } = pool();
      return totalCount - idleCount + waitingCount;
    })
    .toBe(0);
