const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a moment (epoch milliseconds) in a time zone (an IANA name): "2026-11-20". */
export function dayOf(at: number, timeZone: string): string {
  const [year, month, day] = partsOf(at, timeZone);
  return [year, month, day].map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/**
 * When a day ("2026-11-20") begins in a time zone, in epoch milliseconds. Where the clock skips midnight that day, its first
 * moment.
 * @param later so many days later instead
 */
export function startOfDay(day: string, timeZone: string, later = 0): number {
  const midnight = Date.parse(`${day}T00:00:00Z`) + later * 86_400_000;
  // The zone's distance from UTC may change on that very day, so the first guess is looked at again.
  let at = midnight - offsetAt(midnight, timeZone);
  at = midnight - offsetAt(at, timeZone);
  return dayOf(at, timeZone) < new Date(midnight).toISOString().slice(0, 10) ? at + 3_600_000 : at;
}

/** How far the zone's clock is ahead of UTC at a moment, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const [year, month, day, hour, minute, second] = partsOf(at, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function partsOf(at: number, timeZone: string): Parts {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23", calendar: "gregory", numberingSystem: "latn" },
      ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    });
    formats.set(timeZone, format);
  }
  const read = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return ["year", "month", "day", "hour", "minute", "second"].map((name) => read[name] ?? 0) as Parts;
}
