const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the wall-clock time in a time zone, to the second, encoded as if it were UTC.
 * @param time epoch milliseconds
 * @param timeZone an IANA name
 */
export function wallClock(time: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * Returns the moment at which the clocks in a time zone show a time, which is encoded as if it were
 * UTC. If the clocks skip the time, the result is later by the length of the gap.
 * @param which selects one of two moments, if the clocks show the time twice
 */
export function instant(shown: number, timeZone: string, which: "first" | "second" = "first"): number {
  // The offset from UTC may change on that day, so both the offset before and the one after are
  // tried.
  const guesses = [-dayMs, dayMs].map((aside) => {
    const near = shown + aside;
    return shown - (wallClock(near, timeZone) - near);
  });
  const right = guesses.filter((moment) => wallClock(moment, timeZone) === shown);
  if (right.length === 0) return Math.max(...guesses);
  return which === "first" ? Math.min(...right) : Math.max(...right);
}

/** The calendar day of a moment (epoch milliseconds) in a time zone: "2026-11-20". */
export const dayOf = (time: number, timeZone: string): string =>
  new Date(wallClock(time, timeZone)).toISOString().slice(0, 10);

/**
 * The start of a day ("2026-11-20") in a time zone, in epoch milliseconds. If the clocks skip
 * midnight, this is the day's first moment.
 * @param later how many days to add
 */
export const startOfDay = (day: string, timeZone: string, later = 0): number =>
  instant(Date.parse(`${day}T00:00:00Z`) + later * dayMs, timeZone);

/**
 * Returns when the clocks in a time zone show `hour`, `days` days after the day of `time`.
 * @param time epoch milliseconds, like the result
 */
export const localHour = (time: number, timeZone: string, { days = 0, hour = 0 } = {}): number =>
  instant((Math.floor(wallClock(time, timeZone) / dayMs) + days) * dayMs + hour * 3_600_000, timeZone);

/** The day of the week in the zone, 0 for Sunday. */
export const localWeekday = (time: number, timeZone: string): number => new Date(wallClock(time, timeZone)).getUTCDay();
