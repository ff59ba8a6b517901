import { type Sql, sql } from "@/lib/database/sql";
import { change, changeUnannounced } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";

/** Returns SQL that marks a channel as working. */
export const markSent = (id: string): Sql =>
  sql`
    UPDATE alert_channel
    SET last_delivered_at = now(), failing_since = NULL, problem = NULL, failure_reported = false
    WHERE id = ${id}`;

/** Returns SQL that marks a channel as failing, with the reason. */
export const markFailed = (id: string, problem: string): Sql =>
  sql`
    UPDATE alert_channel
    SET failing_since = coalesce(failing_since, now()), problem = ${problem}
    WHERE id = ${id}`;

/**
 * Records that an alert was sent. Does not notify open pages, because they would reload for each
 * alert.
 */
export const recordSent = (id: string) => changeUnannounced(markSent(id));

/**
 * Records that an alert failed, and why. Does not notify open pages, because they would reload for
 * each alert.
 */
export const recordFailure = (id: string, problem: string) => changeUnannounced(markFailed(id, problem));

/**
 * Notifies the owner that an alert couldn't be sent to a channel. A failing channel causes only one
 * notification until it works again.
 */
export const notifyMissed = (id: string): Promise<void> =>
  change(null, async (tx) => {
    const failing = await sql<{ owner_id: string; name: string; problem: string }>`
      UPDATE alert_channel
      SET failure_reported = true
      WHERE id = ${id} AND NOT failure_reported
      RETURNING owner_id, name, problem`.row(tx);
    if (!failing) return;
    const { owner_id: ownerId, name, problem } = failing;
    await record(tx, { ownerId, type: "channel.failing", subject: id, data: { name } });
    const body = `${problem}. After you fix the problem, send a test alert in Settings › Alerts. You can also remove the channel.`;
    await notifyOwner(tx, { ownerId, title: `Couldn’t send an alert to ${name}`, body, type: "alerts" });
  });
