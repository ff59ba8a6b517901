import { sql } from "@/lib/database/sql";

/** Whether the owner still lets in the app of a notification `n`. */
export const isConnected = sql`EXISTS (SELECT FROM live_grant g WHERE g.owner_id = n.owner_id AND g.app_id = n.app_id)`;

/**
 * Since when an `open_approval` has been waiting: one that was put off, or about which the owner asked back, counts as asked
 * when it comes back, whether that has been noted or not.
 */
export const waitingSince = sql`greatest(a.created_at, a.returned_at, a.snoozed_until)`;

/** Whether an `open_approval` is one that the owner was rightly told of: it waits for them, and its app can read the answer. */
export const awaitsOwner = sql`a.place = 'waiting' AND a.connected`;

/** Whether they are to be told of it: they have not given an answer either that is being held. */
export const needsAlert = sql`${awaitsOwner} AND NOT a.held`;

/** What an alert `al` told of and the owner is still told of: id, title and body of questions and of notifications. */
export const openAlertSubjects = sql`SELECT a.id, a.question AS title, '' AS body FROM alert_subject s JOIN open_approval a ON a.id = s.subject
    WHERE s.alert_id = al.id AND ${awaitsOwner}
  UNION ALL SELECT n.id, n.title, n.body FROM alert_subject s JOIN open_notification n ON n.id = s.subject
    WHERE s.alert_id = al.id AND n.read_at IS NULL AND n.surfaced_at <= now() AND NOT (n.app_muted OR n.type_muted)`;
