import {
  type HowEnded,
  type OneTapQuestion,
  oneTapQuestion,
  openDeadline,
  outcomeOf,
} from "@/lib/approvals/approval-sql-for-other-domains";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { literal, sql } from "@/lib/database/sql";
import { lockScreen } from "@/lib/grants/app-preferences";
import { keyOf, type StoredKey } from "@/lib/keys/data-keys";
import type { Settings } from "@/lib/owners/schema";
import type { ChannelKind } from "./channels/channel-interface";
import { openAlertSubjects } from "./needs-alert-sql";
import type { AlertContent } from "./push-schema";
import type { FullPlaces } from "./service-windows";
import { appleService } from "./withdraw-alerts";

/** How long one instance leases a delivery, in seconds. */
const leaseSeconds = 60;

/** A leased message. */
export type DueMessage = {
  alert_id: string;
  /** The ID of the browser or channel. */
  target: string;
  target_kind: "browser" | ChannelKind;
  kind: "show" | "close";
  attempts: number;
  owner_id: string;
  about: AlertContent["about"];
  tag: string;
  /** The host of the destination. */
  service: string;
  /** Whether the destination is a channel whose last message failed. */
  broken: boolean;
  wanted: boolean;
  /** Whether a newer alert has the same tag. */
  replaced: boolean;
  sealed: Uint8Array;
  key: StoredKey | null;
  /** The ID that the channel's service gave the message, or null if there is none. */
  receipt: string | null;
  app: string;
  lock_screen: Settings["lockScreen"];
  count: number;
  first: AlertContent["first"] | null;
  more: boolean;
  left: number | null;
  /** The question, if a press of one button at this destination may answer it. */
  one_tap: OneTapQuestion | null;
  /** The decision on the question, if the destination may show it. */
  ending: HowEnded | null;
};

/** SQL: locks and returns the longest-due message to a destination with a free slot. */
const due = ({ services, owners, brokenOwners, broken }: FullPlaces) => sql`due AS (
  SELECT d.alert_id, d.target_id, d.kind
  FROM alert_delivery d
    JOIN alert_target t ON t.id = d.target_id
    LEFT JOIN alert_channel c ON c.id = t.id
  WHERE d.ended_at IS NULL
    AND d.due_at <= now()
    AND NOT t.service = ANY (${services})
    AND NOT t.owner_id = ANY (${owners})
    AND (
      c.failing_since IS NULL OR NOT ${broken}::boolean AND NOT t.owner_id = ANY (${brokenOwners})
    )
    -- A withdrawal must not overtake its alert.
    AND (
      d.kind = 'show'
      OR NOT EXISTS (
        SELECT FROM alert_delivery s
        WHERE s.owner_id = d.owner_id
          AND s.alert_id = d.alert_id
          AND s.target_id = d.target_id
          AND s.kind = 'show'
          AND s.ended_at IS NULL
      )
    )
  ORDER BY d.due_at LIMIT 1
  FOR UPDATE OF d SKIP LOCKED
)`;

const leased = sql`taken AS (
  UPDATE alert_delivery d
  SET due_at = now() + make_interval(secs => ${literal(leaseSeconds)}), attempts = d.attempts + 1
  FROM due
  WHERE d.alert_id = due.alert_id AND d.target_id = due.target_id AND d.kind = due.kind
  RETURNING d.*
)`;

/** SQL: whether the destination is a channel whose last message failed. */
const isBroken = sql`EXISTS (
  SELECT FROM alert_channel c WHERE c.id = s.id AND c.failing_since IS NOT NULL
)`;

/** SQL: the ID that the service gave the alert that this message shows or withdraws. */
const receipt = sql`(
  SELECT d.receipt
  FROM alert_delivery d
  WHERE d.owner_id = t.owner_id
    AND d.alert_id = t.alert_id
    AND d.target_id = t.target_id
    AND d.kind = 'show'
)`;

/**
 * SQL: whether the message is still wanted. An alert must be open and less than a day old. A
 * withdrawal must be less than a day old.
 */
const isWanted = sql`CASE t.kind
  WHEN 'show' THEN al.created_at > now() - interval '1 day' AND al.closed_at IS NULL
  ELSE al.closed_at > now() - interval '1 day'
END`;

/** SQL: for a withdrawal, whether a newer alert has the same tag. */
const isReplaced = sql`EXISTS (
  SELECT FROM alert o
  WHERE o.owner_id = al.owner_id AND o.tag = al.tag AND o.closed_at IS NULL
)`;

/** SQL: whether the app has another open alert with the same `about`. */
const hasMore = sql`EXISTS (
  SELECT FROM alert o
  WHERE o.owner_id = al.owner_id
    AND o.app_id = al.app_id
    AND o.about = al.about
    AND o.closed_at IS NULL
    AND o.id <> al.id
)`;

/**
 * SQL: whether the destination reports presses to us. Safari's alerts can only open URLs, so their
 * buttons can't answer.
 */
const pressable = sql`(
  s.kind = 'slack-bot' OR s.kind = 'browser' AND s.service NOT LIKE ${appleService}
)`;

/**
 * SQL: the question, if a press of one button at this destination may answer it; otherwise NULL.
 */
const oneTap = () => sql`CASE
  WHEN t.kind = 'show' AND al.about = 'questions' AND t.pressed_at IS NULL AND ${pressable}
    THEN ${oneTapQuestion(sql`al.tag`)}
END`;

const shownOnLock = () => lockScreen(sql`al.owner_id`, sql`al.app_id`);
/** SQL: how the question was decided, if the destination may show it; otherwise NULL. */
const ending = () => sql`CASE
  WHEN t.kind = 'close' AND ${shownOnLock()} = 'full' THEN ${outcomeOf(sql`al.tag`)}
END`;

/** SQL: milliseconds until a reminder's first deadline; NULL for other alerts. */
const left = sql`CASE
  WHEN al.reminder
    THEN (
      SELECT (extract(epoch FROM min(${openDeadline(sql`s.subject`)}) - now()) * 1000)::float8
      FROM alert_subject s
      WHERE s.owner_id = al.owner_id AND s.alert_id = al.id
    )
END`;

/**
 * Takes a one-minute lease on the longest-due message to a destination with a free slot. One
 * statement takes the lease and reads the content, so both reflect the same moment.
 * @returns an array with the message, empty if there is none
 */
export async function takeDue(full: FullPlaces): Promise<DueMessage[]> {
  return sql<DueMessage>`
    WITH ${due(full)}, ${leased}
    SELECT t.alert_id, t.target_id AS target, t.kind, t.attempts,
      t.owner_id, al.about, al.tag,
      s.kind AS target_kind, s.service, s.sealed,
      ${isBroken} AS broken,
      ${keyOf} AS key,
      ${receipt} AS receipt,
      ${isWanted} AS wanted,
      ${isReplaced} AS replaced,
      coalesce(${appName(sql`al.app_id`)}, 'Countersign') AS app,
      ${shownOnLock()} AS lock_screen,
      (SELECT count(*)::int FROM (${openAlertSubjects}) AS told) AS count,
      (SELECT to_json(told) FROM (${openAlertSubjects}) AS told ORDER BY told.id LIMIT 1) AS first,
      ${hasMore} AS more,
      ${oneTap()} AS one_tap,
      ${ending()} AS ending,
      ${left} AS "left"
    FROM taken t
      JOIN alert al ON al.id = t.alert_id
      JOIN alert_target s ON s.id = t.target_id`.rows();
}
