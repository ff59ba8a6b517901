import { type On, run, sql } from "@/lib/sql";
import { isNear } from "./terms";

/*
 * Of which deadlines the owner was told. All at once and in the order of ids, as whoever locks several desks does.
 */

/** Note that the owner was told of these approvals, as far as their deadlines are near. */
export const noteReminded = (on: On, ids: string[]) =>
  run(
    sql`INSERT INTO approval_desk AS d (approval_id, owner_id, reminded_at)
      SELECT a.id, a.owner_id, now() FROM approval a WHERE a.id = ANY (${ids}) AND ${isNear} ORDER BY a.id
      ON CONFLICT (approval_id) DO UPDATE SET reminded_at = excluded.reminded_at`,
    on,
  );

/** Note that the owner was mailed about the deadlines of these approvals of theirs. */
export const noteMailed = (ownerId: string, ids: string[]) =>
  run(sql`INSERT INTO approval_desk (approval_id, owner_id, remind_mailed_at)
    SELECT id, ${ownerId}, now() FROM unnest(${ids}::text[]) AS id ORDER BY id
    ON CONFLICT (approval_id) DO UPDATE SET remind_mailed_at = now()`);
