import { isOpen } from "@/lib/approvals/terms";
import { identifier, type Sql, sql } from "@/lib/sql";

/** Whether the owner still lets the app in; `row` has its owner_id and app_id. */
export const letIn = (
  row: "a" | "n",
): Sql => sql`EXISTS (SELECT FROM app_grant g WHERE g.owner_id = ${identifier(`${row}.owner_id`)}
  AND g.app_id = ${identifier(`${row}.app_id`)} AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now()))`;

/**
 * Since when an approval `a`, with its desk `d`, has been waiting: one that was put off, or about which the owner asked back,
 * counts as asked when it comes back, whether that has been noted or not.
 */
export const asked = sql`greatest(a.created_at, d.returned_at, d.snoozed_until)`;

/**
 * Whether an approval `a`, with its desk `d`, is one that the owner is told of: it waits, for them and not for its app, its
 * deadline has not passed, it is not put off, and its app is let in and not muted.
 */
export const waits = sql`${isOpen} AND d.asked_back_at IS NULL AND (d.snoozed_until IS NULL OR d.snoozed_until <= now()) AND ${letIn("a")}
  AND NOT EXISTS (SELECT FROM app_choice ch
    WHERE ch.owner_id = a.owner_id AND ch.app_id = a.app_id AND ch.questions_muted)`;

/** What an alert `al` told of and the owner is still told of: id, title and body of questions and of notifications. */
export const openSubjects = sql`SELECT a.id, a.question AS title, '' AS body FROM alert_subject s JOIN approval a ON a.id = s.subject
    LEFT JOIN approval_desk d ON d.approval_id = a.id WHERE s.alert_id = al.id AND ${waits}
  UNION ALL SELECT n.id, n.title, n.body FROM alert_subject s JOIN open_notification n ON n.id = s.subject
    WHERE s.alert_id = al.id AND n.read_at IS NULL AND n.surfaced_at <= now() AND NOT (n.app_muted OR n.type_muted)`;
