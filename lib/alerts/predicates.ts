import { sql } from "@/lib/database/sql";

/** Whether the app of a notification `n` is still connected. */
export const isConnected = sql`EXISTS (
  SELECT FROM live_grant g WHERE g.owner_id = n.owner_id AND g.app_id = n.app_id
)`;

/**
 * The time from which an `open_approval` has been pending. A snoozed question, or one with a
 * clarification, counts as asked when it returns, whether or not that was recorded.
 */
export const waitingSince = sql`greatest(a.created_at, a.returned_at, a.snoozed_until)`;

/**
 * Whether the owner should be alerted to an `open_approval`: it is pending for them, and its app
 * can read the answer.
 */
export const awaitsOwner = sql`a.place = 'waiting' AND a.connected`;

/** Whether the question still needs an alert: the owner has no held answer for it either. */
export const needsAlert = sql`${awaitsOwner} AND NOT a.held`;

/** The questions and notifications of an alert `al` that are still current: ID, title, body and facts. */
export const openAlertSubjects = sql`
  SELECT a.id, a.question AS title, '' AS body, a.facts
  FROM alert_subject s JOIN open_approval a ON a.id = s.subject
  WHERE s.alert_id = al.id AND ${awaitsOwner}
  UNION ALL
  SELECT n.id, n.title, n.body, NULL::json
  FROM alert_subject s JOIN open_notification n ON n.id = s.subject
  WHERE s.alert_id = al.id
    AND n.read_at IS NULL
    AND n.surfaced_at <= now()
    AND NOT (n.app_muted OR n.type_muted)`;
