import { type HowEnded, type OneTapQuestion, oneTapQuestion, openDeadline, outcomeOf } from "@/lib/approvals/sql";
import { appName } from "@/lib/apps/sql";
import { literal, sql } from "@/lib/database/sql";
import { lockScreen } from "@/lib/grants/app-preferences";
import { keyOf, type StoredKey } from "@/lib/keys/data-keys";
import type { Settings } from "@/lib/owners/schema";
import type { DestinationWindow } from "@/lib/work/congestion-window";
import type { ChannelKind } from "./channels/schema";
import { openAlertSubjects } from "./predicates";
import type { AlertContent } from "./schema";
import { appleService } from "./withdraw";

/** The most messages in progress on this instance. */
export const concurrency = 32;
/** The most messages in progress to one service: at first, and while it responds. */
export const windowOfOne = { first: 2, max: 12 };
/**
 * Slots reserved for the first messages to each service, so that services that hang after
 * responding well leave some free.
 */
const keptForFirst = 12;
/**
 * The most slots for one owner, and for channels whose last message failed: per owner, and in all.
 */
const [maxPerOwner, maxBrokenPerOwner, maxBroken] = [16, 4, 12];
/** The lease of a delivery. */
const leaseSeconds = 60;

/** A leased message. */
export type DueMessage = {
  alert_id: string;
  /** A browser's or channel's ID. */
  target: string;
  target_kind: "browser" | ChannelKind;
  kind: "show" | "close";
  attempts: number;
  owner_id: string;
  about: AlertContent["about"];
  tag: string;
  /** The destination host. */
  service: string;
  /** Whether it is a channel whose last message failed. */
  broken: boolean;
  wanted: boolean;
  /** Whether a newer alert has its tag. */
  replaced: boolean;
  sealed: Uint8Array;
  key: StoredKey | null;
  /** The channel service's ID for the message. */
  receipt: string | null;
  app: string;
  lock_screen: Settings["lockScreen"];
  count: number;
  first: AlertContent["first"] | null;
  more: boolean;
  left: number | null;
  /** The answers that one press may give there, if the owner allows them. */
  one_tap: OneTapQuestion | null;
  /** The decision on its question, if the device may show that. */
  ending: HowEnded | null;
};

/** Destinations that get no messages for now. */
type FullPlaces = {
  /** Hosts. */
  services: string[];
  owners: string[];
  /** Owners whose failing channels are paused, and whether all failing channels are. */
  brokenOwners: string[];
  broken: boolean;
};

/**
 * Destinations that get no messages for now, so that a service that hangs delays no other.
 * @param room how many more messages may be in progress
 */
export function fullPlaces(
  underWay: Iterable<DueMessage>,
  windows: readonly DestinationWindow[],
  room: number,
): FullPlaces {
  const all = [...underWay];
  const failing = all.filter(({ broken }) => broken);
  const limitFor = (size: number) => (room > keptForFirst ? size : Math.min(size, windowOfOne.first));
  const ownersWith = (messages: DueMessage[], limit: number) =>
    [...new Set(messages.map((it) => it.owner_id))].filter(
      (owner) => messages.filter((it) => it.owner_id === owner).length >= limit,
    );
  return {
    services: windows.filter(({ size, underWay }) => underWay >= limitFor(size)).map(({ place }) => place),
    owners: ownersWith(all, maxPerOwner),
    brokenOwners: ownersWith(failing, maxBrokenPerOwner),
    broken: failing.length >= maxBroken,
  };
}

/** The longest-due message to a destination that has a free slot, locked. */
const due = ({ services, owners, brokenOwners, broken }: FullPlaces) => sql`due AS (
  SELECT d.alert_id, d.subscription_id, d.kind
  FROM alert_delivery d
    JOIN alert_target t ON t.id = d.subscription_id
    LEFT JOIN alert_channel c ON c.id = t.id
  WHERE d.ended_at IS NULL
    AND d.due_at <= now()
    AND t.service <> ALL (${services})
    AND t.owner_id <> ALL (${owners})
    AND (
      c.failing_since IS NULL OR NOT ${broken}::boolean AND t.owner_id <> ALL (${brokenOwners})
    )
    -- A withdrawal must not overtake its alert.
    AND (
      d.kind = 'show'
      OR NOT EXISTS (
        SELECT FROM alert_delivery s
        WHERE s.alert_id = d.alert_id
          AND s.subscription_id = d.subscription_id
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
  WHERE d.alert_id = due.alert_id AND d.subscription_id = due.subscription_id AND d.kind = due.kind
  RETURNING d.*
)`;

/** Whether its destination is a channel whose last message failed. */
const isBroken = sql`EXISTS (
  SELECT FROM alert_channel c WHERE c.id = s.id AND c.failing_since IS NOT NULL
)`;

/** What the destination returned for the alert that this message shows or withdraws. */
const receipt = sql`(
  SELECT d.receipt
  FROM alert_delivery d
  WHERE d.alert_id = t.alert_id AND d.subscription_id = t.subscription_id AND d.kind = 'show'
)`;

/** Whether an alert is still open, and a withdrawal still recent. */
const isWanted = sql`CASE t.kind
  WHEN 'show' THEN al.created_at > now() - interval '1 day' AND al.closed_at IS NULL
  ELSE al.closed_at > now() - interval '1 day'
END`;

/** Whether a newer alert has its tag. */
const isReplaced = sql`EXISTS (
  SELECT FROM alert o
  WHERE o.owner_id = al.owner_id AND o.tag = al.tag AND o.closed_at IS NULL
)`;

/** Whether another alert about the same of this app is open. */
const hasMore = sql`EXISTS (
  SELECT FROM alert o
  WHERE o.owner_id = al.owner_id
    AND o.app_id = al.app_id
    AND o.about = al.about
    AND o.closed_at IS NULL
    AND o.id <> al.id
)`;

/**
 * Whether presses are reported to us. Safari's alerts only open addresses, so their buttons could
 * not answer.
 */
const pressable = sql`(
  s.kind = 'slack-bot' OR s.kind = 'browser' AND s.service NOT LIKE ${appleService}
)`;

/** What one press may answer there. */
const oneTap = () => sql`CASE
  WHEN t.kind = 'show' AND al.about = 'questions' AND t.pressed_at IS NULL AND ${pressable}
    THEN ${oneTapQuestion(sql`al.tag`)}
END`;

const shownOnLock = () => lockScreen(sql`al.owner_id`, sql`al.app_id`);
/** How its question was decided, if the device may show that. */
const ending = () => sql`CASE
  WHEN t.kind = 'close' AND ${shownOnLock()} = 'full' THEN ${outcomeOf(sql`al.tag`)}
END`;

/** Milliseconds until the first deadline of a reminder. */
const left = sql`CASE
  WHEN al.reminder
    THEN (
      SELECT (extract(epoch FROM min(${openDeadline(sql`s.subject`)}) - now()) * 1000)::float8
      FROM alert_subject s
      WHERE s.alert_id = al.id
    )
END`;

/**
 * Leases the longest-due message that has a free slot, for a minute. One statement leases it and
 * reads what the message says, so both are of one moment.
 * @returns the message, or nothing
 */
export async function takeDue(full: FullPlaces): Promise<DueMessage[]> {
  return sql<DueMessage>`
    WITH ${due(full)}, ${leased}
    SELECT t.alert_id, t.subscription_id AS target, t.kind, t.attempts,
      al.owner_id, al.about, al.tag,
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
      JOIN alert_target s ON s.id = t.subscription_id`.rows();
}
