import { pool } from "@/lib/db";
import { overhear } from "@/lib/events/hub";
import { log } from "@/lib/log";
import { deliverAlerts } from "./deliver";
import { planAlerts } from "./plan";

/** Owners with news since the last turn, as far as this copy heard. */
const news = new Set<string>();

/** Wake somebody up when an owner has news on this copy. @returns how to stop */
export const onAlertNews = (wake: () => void): (() => void) =>
  overhear((ownerId) => {
    news.add(ownerId);
    wake();
  });

/**
 * Tell owners what is new, on their browsers: those of whom this copy heard, and those whom nobody has looked for, such as
 * when a copy stopped between a change and its announcement, or when quiet hours end.
 */
export async function tellOwners(): Promise<void> {
  const heard = [...news];
  news.clear();
  const { rows } = await pool().query<{ owner_id: string }>({
    name: "alerts/watch",
    text: `SELECT w.owner_id FROM alert_watch w
      WHERE EXISTS (SELECT FROM push_subscription p WHERE p.owner_id = w.owner_id) AND (w.owner_id = ANY ($1)
        OR w.look_again_at <= now() OR EXISTS (SELECT FROM event e WHERE e.owner_id = w.owner_id AND e.id > w.looked_upto))`,
    values: [heard],
  });
  for (const { owner_id } of rows)
    await planAlerts(owner_id).catch((error) =>
      log.warn("an owner's alerts could not be looked for", { reason: String(error) }),
    );
  await deliverAlerts();
}
