/** A moment on the clocks of a time zone. Months from 1, Sunday is day 0. */
type Local = { year: number; month: number; day: number; hour: number; minute: number; second: number };

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks in the zone show. @param at epoch milliseconds */
function localAt(at: number, timeZone: string): Local {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return parts as Local;
}

/**
 * When clocks in the zone show this hour, some days after the day of `at`. An hour that the clocks skip is the moment after
 * the gap; of one that comes twice, the first.
 * @param at epoch milliseconds, as is the result
 */
export function localHour(at: number, timeZone: string, { days = 0, hour = 0 } = {}): number {
  const { year, month, day } = localAt(at, timeZone);
  const shown = Date.UTC(year, month - 1, day + days, hour);
  const offset = (moment: number) => {
    const it = localAt(moment, timeZone);
    return Date.UTC(it.year, it.month - 1, it.day, it.hour, it.minute, it.second) - Math.floor(moment / 1000) * 1000;
  };
  // Where the offset changes that day, either side of it is tried: the earlier moment that shows the hour, else past the gap.
  const guesses = [offset(shown - 86_400_000), offset(shown + 86_400_000)].map((by) => shown - by);
  const right = guesses.filter((guess) => guess + offset(guess) === shown);
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses);
}

/** The day of the week in the zone, 0 for Sunday. */
export function localWeekday(at: number, timeZone: string): number {
  const { year, month, day } = localAt(at, timeZone);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}
