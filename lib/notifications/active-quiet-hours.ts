import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { type QuietHours, quietAt } from "@/lib/owners/quiet-hours";
import type { Settings } from "@/lib/owners/schema";
import { readSettings } from "@/lib/owners/settings";

/**
 * Quiet hours that are active now. Notifications that arrived since they began are held back,
 * except urgent ones if the owner lets those through.
 */
export type ActiveQuietHours = QuietHours & { urgentBreaks: boolean; timeZone: string };

/**
 * Reads the owner's quiet hours. Undefined unless they are active by the database's clock.
 * @param known the owner's settings, if already read
 */
export async function readQuiet(
  owner: Pick<OwnerActor, "ownerId">,
  known?: Settings,
): Promise<ActiveQuietHours | undefined> {
  const settings = known ?? (await readSettings(owner));
  if (!settings.quiet) return undefined;
  const clock = await sql<{ now: number }>`
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS now`.row();
  const hours = quietAt(settings, clock?.now ?? Number.NaN);
  return hours && { ...hours, urgentBreaks: settings.quietBreakthrough, timeZone: settings.timeZone };
}
