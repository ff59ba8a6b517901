import { randomInt } from "node:crypto";
import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor, OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";
import { isMismatched, isOpen } from "../approval-state-sql";
import { dropHeldAnswer } from "../triage";

/*
 * Picking a number proves that the owner sees the app that asks. The app shows the right number,
 * and the owner picks it from three on a page that does not reveal it. A wrong pick is stored
 * permanently, and an answer counts only if the right number was picked.
 */

/** The right number, and the three numbers to choose from in their display order. */
export type NumberMatch = { number: string; offers: string[] };

/** Returns two random digits. */
export const randomNumber = (): string => String(randomInt(100)).padStart(2, "0");

/** Adds two other random numbers, and puts the given number at a random position among them. */
export function offerNumbers(number: string): NumberMatch {
  const others = new Set<string>();
  while (others.size < 2) {
    const other = randomNumber();
    if (other !== number) others.add(other);
  }
  const offers = [...others];
  offers.splice(randomInt(3), 0, number);
  return { number, offers };
}

/**
 * Returns the number that the app must show for its question, or undefined if the question has no
 * number.
 */
export async function readNumber(app: AppActor, id: string): Promise<string | undefined> {
  const { number } = await runAuthorized<{ number: string | null }>(app, {
    result: sql`(
      SELECT a.match ->> 'number'
      FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
      WHERE a.id = ${id}
    ) AS number`,
  });
  return number ?? undefined;
}

/**
 * Records the number that the owner picked. A wrong number marks the question as unexpected and
 * drops any held answer. Ignores a pick after a wrong one, and a pick for an approval that has no
 * number, has changed or can't be answered.
 * @param seen the hash of the question as the owner saw it
 * @returns whether this pick was wrong
 */
export const pickNumber = ({ ownerId }: OwnerActor, id: string, picked: string, seen: string): Promise<boolean> =>
  change({ ownerId }, async (tx) => {
    const pick = await sql<{ app_id: string; wrong: boolean }>`
      UPDATE approval a
      SET picked = ${picked}
      WHERE a.owner_id = ${ownerId}
        AND a.id = ${isId("apr", id) ? id : ""}
        AND a.match IS NOT NULL
        AND ${isOpen}
        AND a.frozen_at IS NULL
        AND ${isMismatched} IS NOT TRUE
        AND approval_is_as_seen(a, ${seen})
      RETURNING a.app_id, ${isMismatched} AS wrong`.row(tx);
    if (!pick?.wrong) return false;
    await dropHeldAnswer(tx, id);
    const about = { ownerId, appId: pick.app_id, subject: id };
    await record(tx, { ...about, type: "approval.unexpected", data: { number: "wrong" } });
    return true;
  });
