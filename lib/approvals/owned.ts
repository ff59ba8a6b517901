import { identifier, type Sql, sql } from "@/lib/sql";
import type { Answer, Approval, ApprovalOption, Resolution } from "./schema";
import { type Talk, talkColumns } from "./talk";
import { hashOf, isPassed } from "./terms";

/**
 * An approval as its owner sees it: with who asks, and what the owner has done about it so far. `byDefault`: nobody answered
 * in time, and its default was recorded.
 */
export type OwnedApproval = Omit<Approval, "outcome" | keyof Talk> &
  Talk & { app: AskingApp; desk: Desk; byDefault?: true };

/**
 * `host` is where the app says it lives (its first https redirect address); `revoked` means that it cannot read the answer,
 * `muted` that its questions wait without counting.
 */
export type AskingApp = { name: string; host?: string; revoked: boolean; muted: boolean; alwaysConfirm: boolean };

/** An answer that may still be taken back: it counts from `commitAt`, which by the database's clock is `leftMs` away. */
export type Held = { answer: Answer; commitAt: number; leftMs: number };

/** What only the owner knows about an approval. Times in epoch milliseconds. */
export type Desk = {
  seen: boolean;
  /** When it was first opened, if it was. */
  seenAt?: number;
  /** Present while it is put off. */
  snoozedUntil?: number;
  /** Whether the owner asked back and waits for the app to say more. */
  askedBack: boolean;
  held?: Held;
  /** Whether the owner's answer was being held when the app answered itself. */
  overtaken: boolean;
  /** Whether the owner's answer was being held when the question changed, and was dropped. */
  changed?: true;
  /** Whether the owner said that they did not expect it. */
  unexpected: boolean;
  /** How many questions the app had asked on its day, this one included; at most 100. Absent for earlier days. */
  nthToday?: number;
  /** Whether it is the first question that this app ever asked the owner. */
  first: boolean;
};

export type OwnedRow = Talk & {
  id: string;
  app_id: string;
  question: string;
  options: ApprovalOption[];
  background_context: string | null;
  recommendation: string | null;
  status: Approval["status"];
  resolution: Resolution | null;
  expires: number | null;
  default_option_id: string | null;
  owner_only: boolean;
  hash: string;
  passed: boolean;
  by_default: boolean;
  changed: boolean;
  created: number;
  name: string;
  address: string | null;
  revoked: boolean;
  muted: boolean;
  always_confirm: boolean;
  seen: boolean;
  seen_at: number | null;
  snoozed_until: number | null;
  asked_back: boolean;
  held_answer: Answer | null;
  commit_at: number | null;
  left_ms: number | null;
  overtaken: boolean;
  unexpected: boolean;
  nth_today: number | null;
  first: boolean;
};

/** The tables that an owned approval is read from, under the aliases that `columns` has. */
export const ownedFrom = sql`approval a JOIN app ON app.id = a.app_id LEFT JOIN approval_desk d ON d.approval_id = a.id
  LEFT JOIN app_choice ch ON ch.owner_id = a.owner_id AND ch.app_id = a.app_id`;

/** Whether the app answered while the owner's answer was being held. */
export const overtaken = sql`(d.overtaken_at IS NOT NULL OR (d.held_answer IS NOT NULL AND a.resolution ->> 'resolvedBy' = 'api'))`;

const ms = (at: string) => sql`(extract(epoch FROM ${identifier(at)}) * 1000)::float8`;

/** @param today the beginning of the owner's day, in epoch milliseconds */
export const ownedColumns = (
  today: number,
): Sql => sql`a.id, a.app_id, a.question, a.options, a.background_context, a.recommendation,
  a.status, a.resolution, ${ms("a.expires_at")} AS expires, a.default_option_id, a.owner_only, ${hashOf} AS hash,
  coalesce(${isPassed}, false) AS passed, a.status = 'resolved' AND a.deadline_passed_at IS NOT NULL AS by_default,
  d.changed_at IS NOT NULL AS changed, ${ms("a.created_at")} AS created, app.name, app.redirect_uris[1] AS address,
  app.deleted_at IS NOT NULL OR NOT EXISTS (SELECT FROM live_grant g WHERE g.owner_id = a.owner_id AND g.app_id = a.app_id) AS revoked,
  coalesce(ch.questions_muted, false) AS muted, coalesce(ch.always_confirm, false) AS always_confirm,
  d.seen_at IS NOT NULL AS seen, CASE WHEN d.snoozed_until > now() THEN ${ms("d.snoozed_until")} END AS snoozed_until,
  d.asked_back_at IS NOT NULL AS asked_back, d.held_answer, ${ms("d.commit_at")} AS commit_at, (extract(epoch FROM d.commit_at - clock_timestamp()) * 1000)::float8 AS left_ms,
  ${overtaken} AS overtaken,
  d.unexpected_at IS NOT NULL AS unexpected,
  CASE WHEN a.created_at >= to_timestamp(${today}::float8 / 1000) THEN (SELECT count(*)::int FROM (SELECT FROM approval b
    WHERE b.owner_id = a.owner_id AND b.app_id = a.app_id AND b.created_at >= to_timestamp(${today}::float8 / 1000)
      AND (b.created_at, b.id) <= (a.created_at, a.id) LIMIT 100) AS asked) END AS nth_today,
  ${ms("d.seen_at")} AS seen_at,
  a.id = (SELECT b.id FROM approval b WHERE b.owner_id = a.owner_id AND b.app_id = a.app_id
    ORDER BY b.created_at, b.id LIMIT 1) AS first, ${talkColumns}`;

export const owned = (row: OwnedRow): OwnedApproval => ({
  _id: row.id,
  _creationTime: row.created,
  clientId: row.app_id,
  question: row.question,
  options: row.options,
  ...(row.background_context !== null && { backgroundContext: row.background_context }),
  ...(row.recommendation !== null && { recommendation: row.recommendation }),
  ...(row.expires !== null && { expiresAt: row.expires }),
  ...(row.default_option_id !== null && { defaultOptionId: row.default_option_id }),
  ...(row.owner_only && { ownerOnly: true }),
  ...(row.passed && { deadlinePassed: true }),
  ...(row.by_default && { byDefault: true }),
  contentHash: row.hash,
  status: row.status,
  ...(row.resolution !== null && { resolution: row.resolution }),
  additions: row.additions,
  questions: row.questions,
  outcomes: row.outcomes,
  app: {
    name: row.name,
    ...hostOf(row.address),
    revoked: row.revoked,
    muted: row.muted,
    alwaysConfirm: row.always_confirm,
  },
  desk: {
    seen: row.seen,
    ...(row.seen_at !== null && { seenAt: row.seen_at }),
    ...(row.snoozed_until !== null && row.status === "pending" && { snoozedUntil: row.snoozed_until }),
    askedBack: row.asked_back && row.status === "pending",
    ...heldIn(row),
    overtaken: row.overtaken,
    ...(row.changed && { changed: true }),
    unexpected: row.unexpected,
    ...(row.nth_today !== null && { nthToday: row.nth_today }),
    first: row.first,
  },
});

const heldIn = ({ held_answer: answer, commit_at: commitAt, left_ms: leftMs, status }: OwnedRow): Pick<Desk, "held"> =>
  answer !== null && commitAt !== null && leftMs !== null && status === "pending"
    ? { held: { answer, commitAt, leftMs: Math.max(0, leftMs) } }
    : {};

const hostOf = (address: string | null): { host?: string } =>
  address?.startsWith("https://") && URL.canParse(address) ? { host: new URL(address).host } : {};
