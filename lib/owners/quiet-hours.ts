import { instant, wallClock } from "@/lib/text/local-time";
import type { Settings } from "./schema";

type QuietSettings = Pick<Settings, "quiet" | "quietDays" | "timeZone">;
/** Both in epoch milliseconds: quiet from `since` on, and no longer at `until`. */
export type QuietHours = { since: number; until: number };

const minute = 60_000;
const day = 24 * 60 * minute;
/** Quiet around the clock on all seven days: it has no beginning and no end. The latest is the last time a Date can hold. */
const always: QuietHours = { since: 0, until: 8.64e15 };

/**
 * The quiet hours that hold at a moment, or undefined where none do. Hours that touch are one. They are counted on the clock
 * of the owner's time zone: a time that its clocks skip comes as much later, and one that they show twice is the second.
 * @param at epoch milliseconds, by the database's clock
 */
export function quietAt({ quiet, quietDays, timeZone }: QuietSettings, at: number): QuietHours | undefined {
  if (!quiet || quietDays.length === 0) return undefined;
  const { from, until } = quiet;
  if (from === until && new Set(quietDays).size === 7) return always;
  // Calendar days, as what their midnight would be in UTC.
  const begunOn = (date: number): QuietHours | undefined =>
    quietDays.includes(new Date(date).getUTCDay())
      ? {
          since: instant(date + from * minute, timeZone, "second"),
          until: instant(date + (until > from ? 0 : day) + until * minute, timeZone, "second"),
        }
      : undefined;
  const today = Math.floor(wallClock(at, timeZone) / day) * day;
  const on = [today, today - day].find((date) => {
    const hours = begunOn(date);
    return hours && hours.since <= at && at < hours.until;
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
 * Until when what comes at this moment is held back without an alert, in epoch milliseconds. Undefined where it may alert at
 * once: outside quiet hours, and in them for what is urgent if the owner lets that break through.
 */
export function heldUntil(
  settings: QuietSettings & Pick<Settings, "quietBreakthrough">,
  at: number,
  { urgent = false }: { urgent?: boolean } = {},
): number | undefined {
  return urgent && settings.quietBreakthrough ? undefined : quietAt(settings, at)?.until;
}
