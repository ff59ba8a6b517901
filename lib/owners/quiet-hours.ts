import { instant, wallClock } from "@/lib/text/local-time";
import type { Settings } from "./schema";

type QuietSettings = Pick<Settings, "quiet" | "quietDays" | "timeZone">;
/**
 * A period of quiet hours, from `since` (inclusive) to `until` (exclusive), in epoch milliseconds.
 */
export type QuietHours = { since: number; until: number };

const minute = 60_000;
const day = 24 * 60 * minute;
/**
 * Quiet hours that never end, because they last all day on all seven days. `until` is the latest
 * possible Date.
 */
const always: QuietHours = { since: 0, until: 8.64e15 };

/**
 * Returns the quiet hours that include a time, merged with adjacent ones, or undefined if the time
 * is outside quiet hours. The owner's settings are in local time. A local time that is skipped when
 * the clocks change is shifted by the gap; of a local time that occurs twice, the second occurrence
 * counts.
 * @param time the time in epoch milliseconds, by the database's clock
 */
export function quietAt({ quiet, quietDays, timeZone }: QuietSettings, time: number): QuietHours | undefined {
  if (!quiet || quietDays.length === 0) return undefined;
  const { from, until } = quiet;
  if (from === until && new Set(quietDays).size === 7) return always;
  // Each calendar day is represented by its midnight in UTC.
  const begunOn = (date: number): QuietHours | undefined =>
    quietDays.includes(new Date(date).getUTCDay())
      ? {
          since: instant(date + from * minute, timeZone, "second"),
          until: instant(date + (until > from ? 0 : day) + until * minute, timeZone, "second"),
        }
      : undefined;
  const today = Math.floor(wallClock(time, timeZone) / day) * day;
  const on = [today, today - day].find((date) => {
    const hours = begunOn(date);
    return hours && hours.since <= time && time < hours.until;
  });
  if (on === undefined) return undefined;
  const whole = begunOn(on) as QuietHours;
  for (let date = on - day, earlier = begunOn(date); earlier && earlier.until >= whole.since; ) {
    whole.since = earlier.since;
    earlier = begunOn((date -= day));
  }
  for (let date = on + day, later = begunOn(date); later && later.since <= whole.until; ) {
    whole.until = later.until;
    later = begunOn((date += day));
  }
  return whole;
}

/**
 * Returns the time, in epoch milliseconds, from which an item that arrives at `time` may cause an
 * alert. Returns undefined if it may do so immediately, which is the case outside quiet hours, and
 * for urgent items that the owner lets through.
 */
export function heldUntil(
  settings: QuietSettings & Pick<Settings, "quietBreakthrough">,
  time: number,
  { urgent = false }: { urgent?: boolean } = {},
): number | undefined {
  return urgent && settings.quietBreakthrough ? undefined : quietAt(settings, time)?.until;
}
