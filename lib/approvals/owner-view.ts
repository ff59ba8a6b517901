import { appCard } from "@/lib/apps/app-sql-for-other-domains";
import { epochMs, omitNulls, type Sql, sql } from "@/lib/database/sql";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { hueOf } from "@/lib/grants/grant-sql-for-other-domains";
import { contentHashOf, deadlineOf, isConnected, isExpired, isMismatched } from "./approval-state-sql";
import type { Fields } from "./fields/field-schema";
import { readFields, type StoredFields } from "./fields/stored-fields";
import type { Approval, SignedAnswer } from "./schema";
import type { Signing } from "./sign/schema";
import { signedByOwnerJson, signingOf } from "./sign/signing-sql";
import { type Thread, threadColumns } from "./thread/thread-sql";

/**
 * An approval in the owner's view, with the asking app and the owner's triage. `byDefault` means
 * that the deadline passed and the default was recorded. While a question is `frozen`, its `dueAt`
 * is the deadline that would apply if its freeze ended now.
 */
export type OwnerApproval = Omit<Approval, "outcome" | "fields" | keyof Thread> &
  Thread & {
    app: RequestingApp;
    triage: TriageState;
    byDefault?: true;
    frozen?: true;
    match?: DisplayedMatch;
    fields?: Fields;
    /** Present once the answer is used: by the app, or by a program with the receipt. */
    usedBy?: "app" | "receipt";
    /** The signature that the answer needs, if any. Present while the question is pending. */
    sign?: Signing;
  };

/**
 * The numbers that the owner chooses from. Until the owner picks one, no field reveals the right
 * number.
 */
export type DisplayedMatch = {
  /** The three numbers in their display order. */
  numbers: string[];
  /**
   * Whether the owner picked the right number. Absent until the owner picks one. After a wrong
   * pick, the question can no longer be answered.
   */
  picked?: "right" | "wrong";
};

/**
 * The asking app. `revoked` means that the app is not connected, so it can't read answers, `muted`
 * that the owner muted its questions, and `own` that it is this service. `host` is the host of its
 * first redirect URI, if that is an https URL, and `hue` selects its color.
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

/**
 * An answer that can still be undone. `commitAt` is when the answer takes effect, in epoch
 * milliseconds, and `leftMs` is the time left until then, in milliseconds. Both use the database's
 * clock.
 */
export type HeldAnswer = { answer: SignedAnswer; commitAt: number; leftMs: number };

/** The owner's private state for an approval. Times are in epoch milliseconds. */
export type TriageState = {
  seen: boolean;
  /** When the owner first opened the question, if ever. */
  seenAt?: number;
  /** When the snooze ends. Present while the question is snoozed. */
  snoozedUntil?: number;
  /**
   * Whether the question is waiting for the app. True if the owner asked for clarification and the
   * app has added nothing since, or if the owner picked a wrong number.
   */
  askedBack: boolean;
  held?: HeldAnswer;
  /** Whether the app answered while the owner's answer was held. */
  overtaken: boolean;
  /**
   * Whether the question changed while the owner's answer was held, so that the answer was dropped.
   */
  changed?: true;
  /** Whether the owner reported the question as unexpected, or picked a wrong number. */
  unexpected: boolean;
  /**
   * The question's position among the app's questions from today, at most 100. Absent for earlier
   * questions.
   */
  nthToday?: number;
  /** Whether this is the app's first question to the owner. */
  first: boolean;
  /** The question's section in the list of pending questions. */
  section: (typeof sections)[number];
};

/** The sections of pending questions, in display order. Pages show a heading for each. */
export const sections = ["due", "care", "today", "earlier"] as const;

/**
 * Returns SQL for a pending approval's section.
 * @param approval the alias of `approval`
 * @param today the start of the owner's day, in epoch milliseconds
 */
export const sectionOf = (approval: Sql, today: number): Sql => sql`CASE
    WHEN ${deadlineOf(approval)} < now() + interval '1 day' THEN 'due'
    WHEN ${approval}.risk = 'high' THEN 'care'
    WHEN ${approval}.created_at >= to_timestamp(${today}::float8 / 1000) THEN 'today'
    ELSE 'earlier'
  END`;

/** SQL: the tables for an owner's approvals, with the aliases that `ownerApprovalColumns` uses. */
export const ownerApprovalFrom = sql`approval a
    CROSS JOIN LATERAL ${appCard(sql`a.app_id`)} AS app
    LEFT JOIN approval_triage d ON d.approval_id = a.id
    LEFT JOIN approval_use u ON u.approval_id = a.id
    LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS ch ON true`;

/** SQL: whether the app answered while the owner's answer was held. */
export const overtaken = sql`(
  d.overtaken_at IS NOT NULL
  OR (d.held_answer IS NOT NULL AND a.resolution ->> 'resolvedBy' = 'api')
)`;

/** SQL: the columns of `OwnerApproval` about the use or withdrawal of its answer. */
const useColumns = sql`
  CASE u.kind WHEN 'used' THEN ${epochMs("u.created_at")} END AS "usedAt",
  u.used_by AS "usedBy",
  CASE u.kind WHEN 'withdrawn' THEN ${epochMs("u.created_at")} END AS "withdrawnAt"`;

/**
 * Returns SQL for the columns of `OwnerApproval`.
 * @param today the start of the owner's day, in epoch milliseconds
 */
export const ownerApprovalColumns = (
  today: number,
): Sql => sql`a.id AS "_id", ${epochMs("a.created_at")} AS "_creationTime", a.app_id AS "clientId",
  a.question, a.facts, a.fields AS stored,
  a.options, a.background_context AS "backgroundContext", a.recommendation,
  a.status, a.resolution, ${epochMs("a.expires_at")} AS "expiresAt",
  CASE
    WHEN a.expires_at IS NOT NULL AND a.frozen_at IS NOT NULL
      THEN floor(
        extract(epoch FROM ${deadlineOf(sql`a`)} + (now() - a.frozen_at)) * 1000
      )::float8
    ELSE ${epochMs("a.due_at")}
  END AS "dueAt",
  CASE WHEN a.frozen_at IS NOT NULL THEN true END AS frozen,
  a.default_option_id AS "defaultOptionId",
  CASE WHEN a.owner_only THEN true END AS "ownerOnly", CASE WHEN a.once THEN true END AS once,
  ${useColumns},
  a.risk, ${signedByOwnerJson(sql`a`)}::"json" AS "signedByOwner",
  CASE WHEN a.status = 'pending' THEN ${signingOf(sql`a`)} END AS sign,
  CASE
    WHEN a.match IS NOT NULL
      THEN json_strip_nulls(json_build_object(
        'numbers', a.match -> 'offers',
        'picked', CASE ${isMismatched} WHEN true THEN 'wrong' WHEN false THEN 'right' END
      ))
  END AS match,
  CASE WHEN ${isExpired} THEN true END AS "deadlinePassed",
  CASE WHEN a.status = 'resolved' AND a.deadline_passed_at IS NOT NULL THEN true END AS "byDefault",
  ${contentHashOf} AS "contentHash", ${threadColumns},
  json_build_object(
    'name', app.name, 'hue', ${hueOf(sql`a.owner_id`, sql`a.app_id`)}, 'address', app.address,
    'isOwn', app.own, 'muted', coalesce(ch.questions_muted, false),
    'alwaysConfirm', coalesce(ch.always_confirm, false), 'revoked', NOT ${isConnected(sql`a`)}
  ) AS app,
  json_strip_nulls(json_build_object(
    'seen', d.seen_at IS NOT NULL, 'seenAt', ${epochMs("d.seen_at")},
    'snoozedUntil', CASE
      WHEN d.snoozed_until > now() AND a.status = 'pending' THEN ${epochMs("d.snoozed_until")}
    END,
    'askedBack', (d.clarification_asked_at IS NOT NULL OR ${isMismatched} IS TRUE)
      AND a.status = 'pending',
    'held', CASE
      WHEN d.held_answer IS NOT NULL AND a.status = 'pending'
        THEN json_build_object(
          'answer', d.held_answer, 'commitAt', ${epochMs("d.commit_at")},
          'leftMs', greatest(0, extract(epoch FROM d.commit_at - clock_timestamp()) * 1000)::float8
        )
    END,
    'overtaken', ${overtaken} IS TRUE,
    'changed', CASE WHEN d.changed_at IS NOT NULL THEN true END,
    'unexpected', d.unexpected_at IS NOT NULL OR ${isMismatched} IS TRUE,
    'nthToday', CASE
      WHEN a.created_at >= to_timestamp(${today}::float8 / 1000)
        THEN (
          SELECT count(*)::int
          FROM (
            SELECT FROM approval b
            WHERE b.owner_id = a.owner_id
              AND b.app_id = a.app_id
              AND b.created_at >= to_timestamp(${today}::float8 / 1000)
              AND (b.created_at, b.id) <= (a.created_at, a.id)
            LIMIT 100
          ) AS asked
        )
    END,
    'first', a.id = (
      SELECT b.id
      FROM approval b
      WHERE b.owner_id = a.owner_id AND b.app_id = a.app_id
      ORDER BY b.created_at, b.id LIMIT 1
    ),
    'section', ${sectionOf(sql`a`, today)}
  )) AS triage`;

/**
 * The columns as the database returns them, before the app's redirect URI is reduced to its host.
 */
export type OwnedRow = Omit<OwnerApproval, "fields"> & {
  app: { address: string | null; isOwn: boolean };
  stored: StoredFields | null;
};

export function toOwnerApproval(row: OwnedRow): OwnerApproval {
  const { stored, ...others } = row;
  const { address, isOwn, ...app } = row.app;
  const { protocol, host } = address !== null && URL.canParse(address) ? new URL(address) : {};
  return {
    ...omitNulls(others),
    ...(stored && { fields: readFields(stored) }),
    app: { ...app, ...(isOwn && { own: true as const }), ...(protocol === "https:" && host && { host }) },
  };
}
