import { expect } from "vitest";
import { pool } from "@/lib/database/db";

/*
 * Test files use separate databases in one PostgreSQL. An open transaction of another file
 * therefore delays the event horizon, and tests that depend on earlier events must wait for it.
 */

/**
 * Waits until all events are below the horizon, so that a new listener receives only later ones. An
 * open transaction in another test file delays this.
 */
export const settled = () =>
  expect
    .poll(
      async () =>
        (await pool().query("SELECT coalesce(bool_and(tx < event_horizon()), true) AS yes FROM event")).rows[0].yes,
    )
    .toBe(true);

/**
 * Waits until this process has no running or waiting queries, such as those of disconnected
 * callers.
 */
export const atRest = () =>
  expect
    .poll(() => {
      const { idleCount, totalCount, waitingCount } = pool();
      return totalCount - idleCount + waitingCount;
    })
    .toBe(0);
