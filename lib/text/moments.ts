import { dayOf } from "./local-time";

/*
 * Times in words where no browser writes them: in e-mails, and on pages that need no scripts. As our pages write them, in the
 * owner's time zone (an IANA name); where nobody knows it, UTC is named. Moments in epoch milliseconds.
 */

/** "12:04", or "12:04 UTC". */
export const clockTime = (at: number, timeZone: string | undefined, seconds = false): string =>
  written(at, timeZone, { timeStyle: seconds ? "medium" : "short" }) + (timeZone === undefined ? " UTC" : "");

/** The same with its day, where that is another than today's: "tomorrow 12:04", "24 Nov 2026, 12:04". */
export function moment(at: number, { now, timeZone }: { now: number; timeZone: string | undefined }): string {
  const [day, today] = [at, now].map((it) => dayOf(it, timeZone ?? "UTC")) as [string, string];
  const time = clockTime(at, timeZone);
  if (day === today) return time;
  if (Date.parse(day) - Date.parse(today) === 86_400_000) return `tomorrow ${time}`;
  return `${written(at, timeZone, { dateStyle: "medium" })}, ${time}`;
}

const written = (at: number, timeZone = "UTC", style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...style }).format(at);

const inWords = new Intl.RelativeTimeFormat("en");

/** "in 2 hours", of which none is promised too long. */
export function distance(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "in less than a minute";
  if (minutes < 60) return inWords.format(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? inWords.format(hours, "hour") : inWords.format(Math.floor(hours / 24), "day");
}
