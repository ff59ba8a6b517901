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
          since: instant(date + from * minute, timeZone),
          until: instant(date + (until > from ? 0 : day) + until * minute, timeZone),
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

/** The moment at which clocks of the zone show this, given as if it were UTC. */
function instant(shown: number, timeZone: string): number {
  const before = shown - offset(shown - day, timeZone);
  const after = shown - offset(shown + day, timeZone);
  const right = [before, after].filter((moment) => wallClock(moment, timeZone) === shown);
  return right.length > 0 ? Math.max(...right) : Math.max(before, after);
}

const offset = (at: number, timeZone: string) => wallClock(at, timeZone) - at;

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at a moment, to the second, as if it were UTC. */
function wallClock(at: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = "numeric";
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day: date = 1, hour = 0, minute: minutes = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, date, hour, minutes, second);
}
