import { expect } from "vitest";
import { pool } from "@/lib/db";

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
