import { endingOf, type HowEnded, type OneTap, oneTap, openDeadline } from "@/lib/approvals/sql";
import { appName } from "@/lib/apps/sql";
import { db } from "@/lib/db";
import { lockScreen } from "@/lib/grants/app-choices";
import { type KeptKey, keyOf } from "@/lib/keys/data-keys";
import { log } from "@/lib/log";
import { readNews } from "@/lib/news/news";
import type { Settings } from "@/lib/owners/schema";
import { literal, sql } from "@/lib/sql";
import { counter } from "@/lib/telemetry/metrics";
import { reportOnce } from "@/lib/work/report-once";
import { type Worker, worker } from "@/lib/work/worker";
import type { ChannelKind, ChannelResult } from "./channels/schema";
import { openChannel } from "./channels/sealing";
import { noteFailure, noteSent, tellMissed } from "./channels/state";
import { appleService } from "./close";
import { noteTold, sendTo } from "./devices";
import { messageFor } from "./message";
import { offerOf } from "./one-tap";
import type { PushResult } from "./push";
import type { AlertContent, AlertOffer, ShowMessage } from "./schema";
import { openSubjects } from "./waiting";

/** Most that are under way at a time, and most of one server: one that is slow keeps nobody else's waiting. */
const most = 20;
const mostOfOne = 10;
/** How long whoever took one has. */
const leaseSeconds = 60;
const mostAttempts = 8;
/** Longest that the other side may have us wait, in seconds. */
const longestWait = 3600;

const attempts = counter(
  "countersign_alert_attempts_total",
  "Messages to owners' browsers and alert channels, by how their services took them.",
  ...["kind", "outcome"],
);

type DueMessage = {
  alert_id: string;
  /** A browser's id, or a channel's. */
  target: string;
  target_kind: "browser" | ChannelKind;
  kind: "show" | "close";
  attempts: number;
  owner_id: string;
  about: AlertContent["about"];
  tag: string;
  service: string;
  wanted: boolean;
  /** Whether a newer alert has its tag. */
  replaced: boolean;
  sealed: Uint8Array;
  key: KeptKey | null;
  /** What a channel's service calls what was shown. */
  receipt: string | null;
  app: string;
  lock_screen: Settings["lockScreen"];
  count: number;
  first: AlertContent["first"] | null;
  more: boolean;
  left: number | null;
  /** What one press there may answer, where its owner wants that. */
  one_tap: OneTap | null;
  /** How its question was decided, where that may be said. */
  ending: HowEnded | null;
};

/**
 * Ready to send what is due: several copies share the work, and each delivery is taken by one, by another only when that one
 * has not said in a minute how it went.
 */
export const startDeliveries = (): Worker =>
  worker<DueMessage>(
    { most, mostOf: { most: mostOfOne, key: ({ service }) => service }, take: (_, full) => take(full), run: deliver },
    reportOnce("alerts could not be sent; will retry"),
  );

/** Send everything that is due, until nothing is. */
export async function deliverAlerts(): Promise<void> {
  const deliveries = startDeliveries();
  deliveries.wake();
  await deliveries.idle();
}

/** @param full servers that get no more for now, by host */
async function take(full: string[]): Promise<DueMessage[]> {
  return sql<DueMessage>`WITH due AS (
        SELECT d.alert_id, d.subscription_id, d.kind
        FROM alert_delivery d JOIN alert_target t ON t.id = d.subscription_id
        WHERE d.ended_at IS NULL AND d.due_at <= now() AND t.service <> ALL (${full})
          -- What takes something away must not overtake what shows it.
          AND (d.kind = 'show' OR NOT EXISTS (SELECT FROM alert_delivery s WHERE s.alert_id = d.alert_id
            AND s.subscription_id = d.subscription_id AND s.kind = 'show' AND s.ended_at IS NULL))
        ORDER BY d.due_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED
      ), taken AS (
        UPDATE alert_delivery d SET due_at = now() + make_interval(secs => ${literal(leaseSeconds)}), attempts = d.attempts + 1 FROM due
        WHERE d.alert_id = due.alert_id AND d.subscription_id = due.subscription_id AND d.kind = due.kind RETURNING d.*
      )
      SELECT t.alert_id, t.subscription_id AS target, t.kind, t.attempts, al.owner_id, al.about, al.tag,
        s.kind AS target_kind, s.service, s.sealed, ${keyOf} AS key,
        (SELECT d.receipt FROM alert_delivery d WHERE d.alert_id = t.alert_id AND d.subscription_id = t.subscription_id
          AND d.kind = 'show') AS receipt,
        CASE t.kind WHEN 'show' THEN al.created_at > now() - interval '1 day' AND al.closed_at IS NULL
          ELSE al.closed_at > now() - interval '1 day' END AS wanted,
        EXISTS (SELECT FROM alert o WHERE o.owner_id = al.owner_id AND o.tag = al.tag AND o.closed_at IS NULL) AS replaced,
        coalesce(${appName(sql`al.app_id`)}, 'Countersign') AS app, ${lockScreen(sql`al.owner_id`, sql`al.app_id`)} AS lock_screen,
        (SELECT count(*)::int FROM (${openSubjects}) AS told) AS count,
        (SELECT to_json(told) FROM (${openSubjects}) AS told ORDER BY told.id LIMIT 1) AS first,
        EXISTS (SELECT FROM alert o WHERE o.owner_id = al.owner_id AND o.app_id = al.app_id AND o.about = al.about
          AND o.closed_at IS NULL AND o.id <> al.id) AS more,
        CASE WHEN t.kind = 'show' AND al.about = 'questions' AND t.pressed_at IS NULL AND ${pressable} THEN ${oneTap(sql`al.tag`)} END AS one_tap,
        CASE WHEN t.kind = 'close' AND ${lockScreen(sql`al.owner_id`, sql`al.app_id`)} = 'full' THEN ${endingOf(sql`al.tag`)} END AS ending,
        CASE WHEN al.reminder THEN (SELECT (extract(epoch FROM min(${openDeadline(sql`s.subject`)}) - now()) * 1000)::float8
          FROM alert_subject s WHERE s.alert_id = al.id) END AS "left"
      FROM taken t JOIN alert al ON al.id = t.alert_id JOIN alert_target s ON s.id = t.subscription_id`.rows();
}

/** Whether a press there is told to us. Safari's alerts only open addresses, so a button of theirs would not answer. */
const pressable = sql`(s.kind = 'slack-bot' OR s.kind = 'browser' AND s.service NOT LIKE ${appleService})`;

async function deliver(it: DueMessage): Promise<void> {
  const over = it.kind === "show" && it.count === 0;
  const inBrowser = it.target_kind === "browser";
  // In a browser, what has the same tag meanwhile would be taken away instead.
  const another = it.kind === "close" && it.replaced && inBrowser;
  if (!it.wanted || over || another) return end(it, "dropped");
  const result = inBrowser ? await push(it) : await tellChannel(it);
  attempts([it.target_kind, result.how]);
  if (result.how === "sent") return end(it, "sent", "receipt" in result ? result.receipt : undefined);
  if (result.how === "gone") {
    await db.pushSubscription.deleteMany({ where: { id: it.target } });
    return;
  }
  const last = result.how === "refused" || it.attempts >= mostAttempts;
  if (last) await end(it, result.how === "refused" ? "refused" : "dropped");
  else await again(it, Math.min(longestWait, result.wait ?? backOff(it.attempts)));
  // What cannot be taken away was told all the same.
  if (!("problem" in result) || it.kind === "close") return;
  await noteFailure(it.target, result.problem);
  if (last) await tellMissed(it.target);
}

async function push(it: DueMessage): Promise<PushResult> {
  const { pending } = await readNews({ kind: "owner", ownerId: it.owner_id, session: "" });
  const shown = shownMessage(it, pending);
  const message = it.kind === "close" || !shown ? { close: it.tag, app_badge: pending } : shown;
  const result = await sendTo({ id: it.target, sealed: it.sealed }, message).catch((error): PushResult => {
    log.info("a push service was not reached", { reason: String(error) });
    return { how: "later", status: 0 };
  });
  if (result.how === "refused") log.warn("a push service refused a message", { status: result.status });
  return result;
}

/** As it would be shown in a browser. */
function shownMessage(it: DueMessage, pending: number): ShowMessage | undefined {
  const { first, left } = it;
  const offer = offered(it);
  return first
    ? messageFor(
        { ...it, first, ...(offer && { offer }), ...(left !== null && { leftMs: left }) },
        it.lock_screen,
        pending,
      )
    : undefined;
}

const offered = ({ one_tap, alert_id: alertId, target }: DueMessage): AlertOffer | undefined =>
  one_tap ? offerOf(one_tap, { alertId, target }) : undefined;

async function tellChannel(it: DueMessage): Promise<ChannelResult> {
  const { alert_id: id, target, target_kind: kind, owner_id: ownerId, sealed, key, app, about, count, receipt } = it;
  if (kind === "browser" || !key) return { how: "sent" };
  const channel = openChannel({ id: target, ownerId, kind }, { sealed, key });
  if ("how" in channel) return channel;
  const shown = it.kind === "show" ? shownMessage(it, 0) : undefined;
  const end = { id, app, about, receipt, replaced: it.replaced, ...(it.ending && { ending: it.ending }) };
  if (!shown) return (await channel.withdraw?.(end)) ?? { how: "sent" };
  const { title, body, navigate: link } = shown.notification;
  const offer = offered(it);
  return channel.show(
    { id, app, about, count, title, body, link, urgent: it.left !== null },
    { channel: target, receipt, ...(offer && { offer }) },
  );
}

/** 5 s, 20 s, 80 s and so on up to an hour, each a little off, so that what failed together does not come back together. */
const backOff = (attempts: number): number => Math.min(3600, 5 * 4 ** (attempts - 1)) * (0.8 + 0.4 * Math.random());

async function end(it: DueMessage, outcome: "sent" | "dropped" | "refused", receipt?: string) {
  await sql`UPDATE alert_delivery SET ended_at = now(), outcome = ${outcome}, receipt = coalesce(${receipt ?? null}, receipt)
    WHERE ${isOurs(it)}`.run();
  if (outcome === "sent" && it.kind === "show") await (it.target_kind === "browser" ? noteTold : noteSent)(it.target);
}

const again = (it: DueMessage, seconds: number) =>
  sql`UPDATE alert_delivery SET due_at = now() + make_interval(secs => ${seconds}) WHERE ${isOurs(it)}`.run();

/** Whether nobody has taken it since, and it has not ended. */
const isOurs = ({ alert_id, target, kind, attempts }: DueMessage) => sql`alert_id = ${alert_id}
  AND subscription_id = ${target} AND kind = ${kind} AND attempts = ${attempts} AND ended_at IS NULL`;
