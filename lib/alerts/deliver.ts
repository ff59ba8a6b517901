import { openDeadline } from "@/lib/approvals/sql";
import { appName } from "@/lib/apps/sql";
import { db } from "@/lib/db";
import { lockScreen } from "@/lib/grants/app-choices";
import { log } from "@/lib/log";
import { readNews } from "@/lib/news/news";
import type { Settings } from "@/lib/owners/schema";
import { literal, sql } from "@/lib/sql";
import { reportOnce } from "@/lib/work/report-once";
import { type Worker, worker } from "@/lib/work/worker";
import { sendTo } from "./devices";
import { messageFor } from "./message";
import type { PushResult } from "./push";
import type { AlertContent, CloseMessage, ShowMessage } from "./schema";
import { openSubjects } from "./waiting";

/** Most that are under way at a time, and most of one push service: one that is slow keeps nobody else's waiting. */
const most = 20;
const mostOfOne = 10;
/** How long whoever took one has. */
const leaseSeconds = 60;
const mostAttempts = 8;

type DueMessage = {
  alert_id: string;
  subscription_id: string;
  kind: "show" | "close";
  attempts: number;
  owner_id: string;
  about: AlertContent["about"];
  tag: string;
  service: string;
  wanted: boolean;
  sealed: Uint8Array;
  app: string;
  lock_screen: Settings["lockScreen"];
  count: number;
  first: AlertContent["first"] | null;
  more: boolean;
  left: number | null;
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

/** @param full push services that get no more for now, by host */
async function take(full: string[]): Promise<DueMessage[]> {
  return sql<DueMessage>`WITH due AS (
        SELECT d.alert_id, d.subscription_id, d.kind
        FROM alert_delivery d JOIN push_subscription p ON p.id = d.subscription_id
        WHERE d.ended_at IS NULL AND d.due_at <= now() AND p.service <> ALL (${full})
          -- What takes something away must not overtake what shows it.
          AND (d.kind = 'show' OR NOT EXISTS (SELECT FROM alert_delivery s WHERE s.alert_id = d.alert_id
            AND s.subscription_id = d.subscription_id AND s.kind = 'show' AND s.ended_at IS NULL))
        ORDER BY d.due_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED
      ), taken AS (
        UPDATE alert_delivery d SET due_at = now() + make_interval(secs => ${literal(leaseSeconds)}), attempts = d.attempts + 1 FROM due
        WHERE d.alert_id = due.alert_id AND d.subscription_id = due.subscription_id AND d.kind = due.kind RETURNING d.*
      )
      SELECT t.alert_id, t.subscription_id, t.kind, t.attempts, al.owner_id, al.about, al.tag, p.service, p.sealed,
        CASE t.kind WHEN 'show' THEN al.created_at > now() - interval '1 day' AND al.closed_at IS NULL
          -- What has the same tag meanwhile would be taken away instead.
          ELSE al.closed_at > now() - interval '1 day'
            AND NOT EXISTS (SELECT FROM alert o WHERE o.owner_id = al.owner_id AND o.tag = al.tag AND o.closed_at IS NULL)
          END AS wanted,
        coalesce(${appName(sql`al.app_id`)}, 'Countersign') AS app, ${lockScreen(sql`al.owner_id`, sql`al.app_id`)} AS lock_screen,
        (SELECT count(*)::int FROM (${openSubjects}) AS told) AS count,
        (SELECT to_json(told) FROM (${openSubjects}) AS told ORDER BY told.id LIMIT 1) AS first,
        EXISTS (SELECT FROM alert o WHERE o.owner_id = al.owner_id AND o.app_id = al.app_id AND o.about = al.about
          AND o.closed_at IS NULL AND o.id <> al.id) AS more,
        CASE WHEN al.reminder THEN (SELECT (extract(epoch FROM min(${openDeadline(sql`s.subject`)}) - now()) * 1000)::float8
          FROM alert_subject s WHERE s.alert_id = al.id) END AS "left"
      FROM taken t JOIN alert al ON al.id = t.alert_id JOIN push_subscription p ON p.id = t.subscription_id`.rows();
}

async function deliver(it: DueMessage): Promise<void> {
  const over = it.kind === "show" && it.count === 0;
  if (!it.wanted || over) return end(it, "dropped");
  const result = await send(it);
  if (result.how === "sent") return end(it, "sent");
  if (result.how === "gone") {
    await db.pushSubscription.deleteMany({ where: { id: it.subscription_id } });
    return;
  }
  if (result.how === "refused") log.warn("a push service refused a message", { status: result.status });
  if (result.how === "refused" || it.attempts >= mostAttempts)
    return end(it, result.how === "refused" ? "refused" : "dropped");
  await again(it, result.wait ?? backOff(it.attempts));
}

async function send(it: DueMessage): Promise<PushResult> {
  return sendTo({ id: it.subscription_id, sealed: it.sealed }, await message(it)).catch((error): PushResult => {
    log.info("a push service was not reached", { reason: String(error) });
    return { how: "later", status: 0 };
  });
}

async function message(it: DueMessage): Promise<ShowMessage | CloseMessage> {
  const { pending } = await readNews({ kind: "owner", ownerId: it.owner_id, session: "" });
  const { first, left } = it;
  if (it.kind === "close" || !first) return { close: it.tag, app_badge: pending };
  return messageFor({ ...it, first, ...(left !== null && { leftMs: left }) }, it.lock_screen, pending);
}

/** 5 s, 20 s, 80 s and so on up to an hour, each a little off, so that what failed together does not come back together. */
const backOff = (attempts: number): number => Math.min(3600, 5 * 4 ** (attempts - 1)) * (0.8 + 0.4 * Math.random());

async function end(it: DueMessage, outcome: "sent" | "dropped" | "refused") {
  const shown = outcome === "sent" && it.kind === "show";
  await sql`WITH ended AS (UPDATE alert_delivery SET ended_at = now(), outcome = ${outcome} WHERE ${isOurs(it)})
    UPDATE push_subscription SET last_told_at = now() WHERE id = ${it.subscription_id} AND ${shown}::boolean`.run();
}

const again = (it: DueMessage, seconds: number) =>
  sql`UPDATE alert_delivery SET due_at = now() + make_interval(secs => ${seconds}) WHERE ${isOurs(it)}`.run();

/** Whether nobody has taken it since, and it has not ended. */
const isOurs = ({ alert_id, subscription_id, kind, attempts }: DueMessage) => sql`alert_id = ${alert_id}
  AND subscription_id = ${subscription_id} AND kind = ${kind} AND attempts = ${attempts} AND ended_at IS NULL`;
