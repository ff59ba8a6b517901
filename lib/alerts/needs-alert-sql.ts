import { sql } from "@/lib/database/sql";

/** SQL: whether the app of a notification `n` is still connected. */
export const isConnected = sql`EXISTS (
  SELECT FROM live_grant g WHERE g.owner_id = n.owner_id AND g.app_id = n.app_id
)`;

/**
 * SQL: when an `open_approval` became pending. A question that returns after a snooze or a
 * clarification counts as newly asked, even before a chore records its return.
 */
export const waitingSince = sql`greatest(a.created_at, a.returned_at, a.snoozed_until)`;

/**
 * SQL: whether an `open_approval` is pending for the owner and its app is still connected, so that
 * the app can read the answer.
 */
export const awaitsOwner = sql`a.place = 'waiting' AND a.connected`;

/**
 * SQL: whether the question still needs an alert. A question with a held answer, or of a frozen
 * app, needs none.
 */
export const needsAlert = sql`${awaitsOwner} AND NOT a.held AND a.frozen_at IS NULL`;

/**
 * SQL: the current questions and notifications of an alert `al`, each with its ID, title, body and
 * facts.
 */
export const openAlertSubjects = sql`
  SELECT a.id, a.question AS title, '' AS body, a.facts
  FROM alert_subject s JOIN open_approval a ON a.id = s.subject
  WHERE s.owner_id = al.owner_id AND s.alert_id = al.id AND ${awaitsOwner}
  UNION ALL
  SELECT n.id, n.title, n.body, NULL::"json"
  FROM alert_subject s JOIN open_notification n ON n.id = s.subject
  WHERE s.owner_id = al.owner_id
    AND s.alert_id = al.id
    AND n.read_at IS NULL
    AND n.surfaced_at <= now()
    AND NOT (n.app_muted OR n.type_muted)`;
