import { identifier, type Sql, sql } from "@/lib/database/sql";
import type { Outcome, ThreadEntry } from "./schema";

/*
 * Clarifications, additions and outcomes are append-only rows of `approval_question`,
 * `approval_addition` and `approval_outcome`. Triggers derive the JSON `approval.thread_json` from
 * them for the API, and owners' pages read the rows. A clarification is open until the app adds
 * something (`openQuestion`), and `approval_triage.clarification_asked_at` sets the question aside
 * until then.
 */

/** The thread of an approval. Each list begins with the oldest entry. */
export type Thread = {
  /** The app's additions. */
  additions: ThreadEntry[];
  /** The owner's clarifications. */
  questions: ThreadEntry[];
  /** The app's reports on the outcome. The last one counts. */
  outcomes: Outcome[];
};

const ms = sql`(extract(epoch FROM t.created_at) * 1000)::bigint`;
const all = (table: string, item: Sql) =>
  sql`coalesce(
    (
      SELECT json_agg(json_strip_nulls(json_build_object(${item})) ORDER BY t.nth)
      FROM ${identifier(table)} t
      WHERE t.approval_id = a.id
    ),
    '[]'
  )`;
const entry = sql`'text', t.text, 'createdAt', ${ms}`;
const reported = sql`'status', t.status, 'text', t.text, 'link', t.link, 'reportedAt', ${ms}`;

/** SQL: the thread's rows as columns of an approval `a`. */
export const threadColumns = sql`${all("approval_addition", entry)} AS additions,
  ${all("approval_question", entry)} AS questions, ${all("approval_outcome", reported)} AS outcomes`;

/** SQL: the thread's texts for searches; NULL if the thread is empty. */
export const threadTexts = sql`CASE
  WHEN a.thread_json IS NOT NULL
    THEN ARRAY(
      SELECT t.text FROM approval_addition t WHERE t.approval_id = a.id
      UNION ALL
      SELECT t.text FROM approval_question t WHERE t.approval_id = a.id
      UNION ALL
      SELECT t.text FROM approval_outcome t WHERE t.approval_id = a.id AND t.text IS NOT NULL
    )
END`;
