import { db, pool } from "@/lib/db";
import { log } from "@/lib/log";
import { readNews } from "@/lib/news/news";
import type { Settings } from "@/lib/owners/schema";
import { saidOnce } from "@/lib/work/said-once";
import { type Worker, worker } from "@/lib/work/worker";
import { sendTo } from "./devices";
import { messageFor } from "./message";
import type { Taken } from "./push";
import type { Closed, Shown, Told } from "./schema";
import { stillTold } from "./waiting";

/** Most that are under way at a time, and most of one push service: one that is slow keeps nobody else's waiting. */
const most = 20;
const mostOfOne = 10;
/** How long whoever took one has. */
const leaseSeconds = 60;
const mostAttempts = 8;

type Taking = {
  alert_id: string;
  subscription_id: string;
  kind: "show" | "close";
  attempts: number;
  owner_id: string;
  about: Told["about"];
  tag: string;
  service: string;
  wanted: boolean;
  sealed: Uint8Array;
  app: string;
  lock_screen: Settings["lockScreen"];
  count: number;
  first: Told["first"] | null;
  more: boolean;
  left: number | null;
};

/**
 * Ready to send what is due: several copies share the work, and each delivery is taken by one, by another only when that one
 * has not said in a minute how it went.
 */
export const startDeliveries = (): Worker =>
  worker<Taking>(
    { most, mostOf: { most: mostOfOne, key: ({ service }) => service }, take: (_, full) => take(full), run: deliver },
    saidOnce("alerts could not be sent and will be later"),
  );

/** Send everything that is due, until nothing is. */
export async function deliverAlerts(): Promise<void> {
  const deliveries = startDeliveries();
  deliveries.wake();
  await deliveries.idle();
}

/** @param full push services that get no more for now, by host */
async function take(full: string[]): Promise<Taking[]> {
  const { rows } = await pool().query<Taking>({
    name: "alerts/take",
    text: `WITH due AS (
        SELECT d.alert_id, d.subscription_id, d.kind
        FROM alert_delivery d JOIN push_subscription p ON p.id = d.subscription_id
        WHERE d.ended_at IS NULL AND d.due_at <= now() AND p.service <> ALL ($1)
          -- What takes something away must not overtake what shows it.
          AND (d.kind = 'show' OR NOT EXISTS (SELECT FROM alert_delivery s WHERE s.alert_id = d.alert_id
            AND s.subscription_id = d.subscription_id AND s.kind = 'show' AND s.ended_at IS NULL))
        ORDER BY d.due_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED
      ), taken AS (
        UPDATE alert_delivery d SET due_at = now() + interval '${leaseSeconds} seconds', attempts = d.attempts + 1 FROM due
        WHERE d.alert_id = due.alert_id AND d.subscription_id = due.subscription_id AND d.kind = due.kind RETURNING d.*
      )
      SELECT t.alert_id, t.subscription_id, t.kind, t.attempts, al.owner_id, al.about, al.tag, p.service, p.sealed,
        CASE t.kind WHEN 'show' THEN al.created_at > now() - interval '1 day' AND al.closed_at IS NULL
          -- What has the same tag meanwhile would be taken away instead.
          ELSE al.closed_at > now() - interval '1 day'
            AND NOT EXISTS (SELECT FROM alert o WHERE o.owner_id = al.owner_id AND o.tag = al.tag AND o.closed_at IS NULL)
          END AS wanted,
        coalesce(app.name, 'Countersign') AS app, coalesce(ch.lock_screen, st.lock_screen, 'private') AS lock_screen,
        (SELECT count(*)::int FROM (${stillTold}) AS told) AS count,
        (SELECT to_json(told) FROM (${stillTold}) AS told ORDER BY told.id LIMIT 1) AS first,
        EXISTS (SELECT FROM alert o WHERE o.owner_id = al.owner_id AND o.app_id = al.app_id AND o.about = al.about
          AND o.closed_at IS NULL AND o.id <> al.id) AS more,
        CASE WHEN al.reminder THEN (SELECT (extract(epoch FROM min(a.expires_at) - now()) * 1000)::float8 FROM alert_subject s
          JOIN approval a ON a.id = s.subject WHERE s.alert_id = al.id AND a.status = 'pending') END AS "left"
      FROM taken t JOIN alert al ON al.id = t.alert_id JOIN push_subscription p ON p.id = t.subscription_id
        LEFT JOIN app ON app.id = al.app_id LEFT JOIN owner_settings st ON st.owner_id = al.owner_id
        LEFT JOIN app_choice ch ON ch.owner_id = al.owner_id AND ch.app_id = al.app_id`,
    values: [full],
  });
  return rows;
}

async function deliver(it: Taking): Promise<void> {
  const over = it.kind === "show" && it.count === 0;
  if (!it.wanted || over) return end(it, "dropped");
  const taken = await send(it);
  if (taken.how === "sent") return end(it, "sent");
  if (taken.how === "gone") {
    await db.pushSubscription.deleteMany({ where: { id: it.subscription_id } });
    return;
  }
  if (taken.how === "refused") log.warn("a push service refused a message", { status: taken.status });
  if (taken.how === "refused" || it.attempts >= mostAttempts)
    return end(it, taken.how === "refused" ? "refused" : "dropped");
  await again(it, taken.wait ?? backOff(it.attempts));
}

async function send(it: Taking): Promise<Taken> {
  return sendTo({ id: it.subscription_id, sealed: it.sealed }, await message(it)).catch((error): Taken => {
    log.info("a push service was not reached", { reason: String(error) });
    return { how: "later", status: 0 };
  });
}

async function message({
  kind,
  tag,
  about,
  app,
  count,
  first,
  more,
  left,
  lock_screen,
  owner_id,
}: Taking): Promise<Shown | Closed> {
  const { pending } = await readNews({ kind: "owner", ownerId: owner_id, session: "" });
  if (kind === "close" || !first) return { close: tag, app_badge: pending };
  const told = { about, tag, app, count, first, more, ...(left !== null && { leftMs: left }) };
  return messageFor(told, lock_screen, pending);
}

/** 5 s, 20 s, 80 s and so on up to an hour, each a little off, so that what failed together does not come back together. */
export const backOff = (attempts: number, random = Math.random()): number =>
  Math.min(3600, 5 * 4 ** (attempts - 1)) * (0.8 + 0.4 * random);

async function end({ alert_id, subscription_id, kind, attempts }: Taking, outcome: "sent" | "dropped" | "refused") {
  await pool().query({
    name: "alerts/end",
    text: `WITH ended AS (
        UPDATE alert_delivery SET ended_at = now(), outcome = $5
        WHERE alert_id = $1 AND subscription_id = $2 AND kind = $3 AND attempts = $4 AND ended_at IS NULL
      ) UPDATE push_subscription SET last_told_at = now() WHERE id = $2 AND $5 = 'sent' AND $3 = 'show'`,
    values: [alert_id, subscription_id, kind, attempts, outcome],
  });
}

const again = ({ alert_id, subscription_id, kind, attempts }: Taking, seconds: number) =>
  pool().query({
    name: "alerts/again",
    text: `UPDATE alert_delivery SET due_at = now() + make_interval(secs => $5)
      WHERE alert_id = $1 AND subscription_id = $2 AND kind = $3 AND attempts = $4 AND ended_at IS NULL`,
    values: [alert_id, subscription_id, kind, attempts, seconds],
  });
