import { british, clockText, dateText, type Formats } from "./formats";
import { dayOf, wallClock } from "./local-time";

/*
 * Times in words in the owner's time zone (an IANA name), in e-mails and on pages that need no scripts; where nobody knows it,
 * UTC is named. Moments in epoch milliseconds. For e-mails nobody knows whose formats to follow: a month is spelt out, and a
 * clock has 24 hours.
 */
type Zone = { timeZone: string | undefined; formats?: Formats };

/** "12:04", or "12:04 UTC". */
export const clockTime = (at: number, { timeZone, formats = british }: Zone): string =>
  clockText(wallClock(at, timeZone ?? "UTC"), formats) + (timeZone === undefined ? " UTC" : "");

/** The same with its day, where that is another than today's: "tomorrow 12:04", "24 Nov 2026, 12:04". */
export function dateTimeText(at: number, { now, timeZone, formats = british }: Zone & { now: number }): string {
  const [day, today] = [at, now].map((it) => dayOf(it, timeZone ?? "UTC")) as [string, string];
  const time = clockTime(at, { timeZone, formats });
  if (day === today) return time;
  if (Date.parse(day) - Date.parse(today) === 86_400_000) return `tomorrow ${time}`;
  return `${dateText(wallClock(at, timeZone ?? "UTC"), formats)}, ${time}`;
}

const inWords = new Intl.RelativeTimeFormat("en");

/** "in 2 hours", of which none is promised too long. */
export function relativeText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "in less than a minute";
  if (minutes < 60) return inWords.format(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? inWords.format(hours, "hour") : inWords.format(Math.floor(hours / 24), "day");
}
