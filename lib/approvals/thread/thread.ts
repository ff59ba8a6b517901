import { identifier, type Sql, sql } from "@/lib/database/sql";
import type { Outcome, ThreadEntry } from "./schema";

/*
 * What the owner asks back, what the app adds and what it reports afterwards are rows of `approval_question`,
 * `approval_addition` and `approval_outcome`. They are only ever added to, and go with their approval. Triggers derive
 * `approval.talk` from them, the text that get and list pass through; owners' pages read the rows. Code that needs the rows
 * of both triage and approval locks the triage row first, as `sendDueAnswers` does. `approval_desk.asked_back_at` sets a question aside
 * until the app adds to it; whether one is still open follows from the times of questions and additions (`openQuestion`).
 */

/** What was said about an approval since it was asked, oldest first. */
export type Thread = {
  /** What the app added. */
  additions: ThreadEntry[];
  /** What the owner asked back. */
  questions: ThreadEntry[];
  /** What the app reported of what came of the answer; the last one counts. */
  outcomes: Outcome[];
};

const ms = sql`(extract(epoch FROM t.created_at) * 1000)::bigint`;
const all = (table: string, item: Sql) =>
  sql`coalesce((SELECT json_agg(json_strip_nulls(json_build_object(${item})) ORDER BY t.nth) FROM ${identifier(table)} t WHERE t.approval_id = a.id), '[]')`;
const said = sql`'text', t.text, 'createdAt', ${ms}`;

/** All of it as columns of an approval `a`. Read from where it was written, as its hash is. */
export const threadColumns = sql`${all("approval_addition", said)} AS additions, ${all("approval_question", said)} AS questions,
  ${all("approval_outcome", sql`'status', t.status, 'text', t.text, 'link', t.link, 'reportedAt', ${ms}`)} AS outcomes`;

/** Its texts, for whoever searches; NULL where nothing was said. */
export const threadTexts = sql`CASE WHEN a.talk IS NOT NULL THEN ARRAY(
  SELECT t.text FROM approval_addition t WHERE t.approval_id = a.id
  UNION ALL SELECT t.text FROM approval_question t WHERE t.approval_id = a.id
  UNION ALL SELECT t.text FROM approval_outcome t WHERE t.approval_id = a.id AND t.text IS NOT NULL) END`;
