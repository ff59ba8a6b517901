import { appCard } from "@/lib/apps/sql";
import { epochMs, omitNulls, type Sql, sql } from "@/lib/database/sql";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { hueOf } from "@/lib/grants/sql";
import { contentHashOf, isConnected, isExpired } from "./predicates";
import type { Answer, Approval } from "./schema";
import { type Thread, threadColumns } from "./thread/thread";

/**
 * An approval as its owner sees it: with who asks, and what the owner has done about it so far. `byDefault`: nobody answered
 * in time, and its default was recorded.
 */
export type OwnerApproval = Omit<Approval, "outcome" | keyof Thread> &
  Thread & { app: RequestingApp; triage: TriageState; byDefault?: true };

/**
 * `host` is where the app says it lives (its first https redirect address); `revoked` means that it cannot read the answer,
 * `muted` that its questions wait without counting; `own` is this service itself. `hue` tells the owner's apps apart.
 */
export type RequestingApp = {
  name: string;
  hue: number;
  host?: string;
  own?: true;
  revoked: boolean;
  muted: boolean;
  alwaysConfirm: boolean;
};

/** An answer that may still be taken back: it counts from `commitAt`, which by the database's clock is `leftMs` away. */
export type Held = { answer: Answer; commitAt: number; leftMs: number };

/** What only the owner knows about an approval. Times in epoch milliseconds. */
export type TriageState = {
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

/** The tables that an owned approval is read from, under the aliases that `columns` has. */
export const ownerApprovalFrom = sql`approval a CROSS JOIN LATERAL ${appCard(sql`a.app_id`)} AS app
  LEFT JOIN approval_desk d ON d.approval_id = a.id LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS ch ON true`;

/** Whether the app answered while the owner's answer was being held. */
export const overtaken = sql`(d.overtaken_at IS NOT NULL OR (d.held_answer IS NOT NULL AND a.resolution ->> 'resolvedBy' = 'api'))`;

/** Its columns, as `OwnerApproval` has them. @param today the beginning of the owner's day, in epoch milliseconds */
export const ownerApprovalColumns = (
  today: number,
): Sql => sql`a.id AS "_id", ${epochMs("a.created_at")} AS "_creationTime",
  a.app_id AS "clientId", a.question, a.options, a.background_context AS "backgroundContext", a.recommendation,
  a.status, a.resolution, ${epochMs("a.expires_at")} AS "expiresAt", a.default_option_id AS "defaultOptionId",
  CASE WHEN a.owner_only THEN true END AS "ownerOnly", a.risk, CASE WHEN ${isExpired} THEN true END AS "deadlinePassed",
  CASE WHEN a.status = 'resolved' AND a.deadline_passed_at IS NOT NULL THEN true END AS "byDefault",
  ${contentHashOf} AS "contentHash", ${threadColumns},
  json_build_object('name', app.name, 'hue', ${hueOf(sql`a.owner_id`, sql`a.app_id`)}, 'address', app.address, 'isOwn', app.own, 'muted', coalesce(ch.questions_muted, false),
    'alwaysConfirm', coalesce(ch.always_confirm, false), 'revoked', NOT ${isConnected(sql`a`)}) AS app,
  json_strip_nulls(json_build_object('seen', d.seen_at IS NOT NULL, 'seenAt', ${epochMs("d.seen_at")},
    'snoozedUntil', CASE WHEN d.snoozed_until > now() AND a.status = 'pending' THEN ${epochMs("d.snoozed_until")} END,
    'askedBack', d.asked_back_at IS NOT NULL AND a.status = 'pending',
    'held', CASE WHEN d.held_answer IS NOT NULL AND a.status = 'pending' THEN json_build_object('answer', d.held_answer,
      'commitAt', ${epochMs("d.commit_at")},
      'leftMs', greatest(0, extract(epoch FROM d.commit_at - clock_timestamp()) * 1000)::float8) END,
    'overtaken', ${overtaken} IS TRUE, 'changed', CASE WHEN d.changed_at IS NOT NULL THEN true END,
    'unexpected', d.unexpected_at IS NOT NULL,
    'nthToday', CASE WHEN a.created_at >= to_timestamp(${today}::float8 / 1000) THEN (SELECT count(*)::int FROM (SELECT FROM approval b
      WHERE b.owner_id = a.owner_id AND b.app_id = a.app_id AND b.created_at >= to_timestamp(${today}::float8 / 1000)
        AND (b.created_at, b.id) <= (a.created_at, a.id) LIMIT 100) AS asked) END,
    'first', a.id = (SELECT b.id FROM approval b WHERE b.owner_id = a.owner_id AND b.app_id = a.app_id
      ORDER BY b.created_at, b.id LIMIT 1))) AS triage`;

/** What these columns are before the app's address is a host. */
export type OwnedRow = OwnerApproval & { app: { address: string | null; isOwn: boolean } };

export function toOwnerApproval(row: OwnedRow): OwnerApproval {
  const { address, isOwn, ...app } = row.app;
  const { protocol, host } = address !== null && URL.canParse(address) ? new URL(address) : {};
  return {
    ...omitNulls(row),
    app: { ...app, ...(isOwn && { own: true as const }), ...(protocol === "https:" && host && { host }) },
  };
}
