import { instant, wallClock } from "@/lib/text/local-time";
import type { Settings } from "./schema";

type QuietSettings = Pick<Settings, "quiet" | "quietDays" | "timeZone">;
/** Quiet hours in epoch milliseconds, from `since` (inclusive) to `until` (exclusive). */
export type QuietHours = { since: number; until: number };

const minute = 60_000;
const day = 24 * 60 * minute;
/** Quiet hours without an end: all day, on all seven days. `until` is the latest Date. */
const always: QuietHours = { since: 0, until: 8.64e15 };

/**
 * Returns the quiet hours that include a time, merged with adjacent ones. Undefined outside quiet
 * hours. The owner's times are local. A local time that the clocks skip is shifted by the gap, and
 * of a time that occurs twice, the second counts.
 * @param time epoch milliseconds, by the database's clock
 */
export function quietAt({ quiet, quietDays, timeZone }: QuietSettings, time: number): QuietHours | undefined {
  if (!quiet || quietDays.length === 0) return undefined;
  const { from, until } = quiet;
  if (from === until && new Set(quietDays).size === 7) return always;
  // Calendar days, represented by midnight UTC.
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
 * Returns when an item that arrives at `time` may cause an alert, in epoch milliseconds. Undefined
 * if it may do so immediately: outside quiet hours, or if it is urgent and the owner lets urgent
 * items through.
 */
export function heldUntil(
  settings: QuietSettings & Pick<Settings, "quietBreakthrough">,
  time: number,
  { urgent = false }: { urgent?: boolean } = {},
): number | undefined {
  return urgent && settings.quietBreakthrough ? undefined : quietAt(settings, time)?.until;
}
