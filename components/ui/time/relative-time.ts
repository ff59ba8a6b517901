import { clockText, dateText, type Formats } from "@/lib/text/formats";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A short relative time: "just now", "4 min ago", "2 h ago", "3 d ago", then the date. Also "in 5
 * min".
 */
export function relativeTime(time: number, now: number, formats: Formats): string {
  const past = now - time;
  const size = Math.abs(past);
  if (size < minute) return past < 0 ? "in a moment" : "just now";
  if (size >= 30 * day) return calendarDate(time, formats);
  const text =
    size < hour
      ? `${Math.floor(size / minute)} min`
      : size < day
        ? `${Math.floor(size / hour)} h`
        : `${Math.floor(size / day)} d`;
  return past < 0 ? `in ${text}` : `${text} ago`;
}

/** "20 Nov 2026", in the reader's own time zone. */
export const calendarDate = (time: number, formats: Formats): string => dateText(clockHere(time), formats);

/** "20 Nov 2026, 11:51", in the reader's own time zone. */
export const absoluteTime = (time: number, formats: Formats): string =>
  `${calendarDate(time, formats)}, ${timeOfDay(time, formats)}`;

/** "at 11:51" of today, "on 20 Nov 2026, 11:51" of any other day. */
export const momentInWords = (time: number, now: number, formats: Formats): string =>
  calendarDate(time, formats) === calendarDate(now, formats)
    ? `at ${timeOfDay(time, formats)}`
    : `on ${absoluteTime(time, formats)}`;

/** "11:51" of today, "tomorrow 11:51", "20 Nov 11:51", with the year only if it is another one. */
export function shortTime(time: number, now: number, formats: Formats): string {
  const clock = timeOfDay(time, formats);
  const dayOf = (at: number) => Math.floor(clockHere(at) / day);
  const days = dayOf(time) - dayOf(now);
  if (days === 0) return clock;
  if (Math.abs(days) === 1) return `${days > 0 ? "tomorrow" : "yesterday"} ${clock}`;
  const sameYear = new Date(clockHere(time)).getUTCFullYear() === new Date(clockHere(now)).getUTCFullYear();
  const date = sameYear ? formats.date.replace(/[ ,]*y/, "") : formats.date;
  return `${dateText(clockHere(time), { ...formats, date })} ${clock}`;
}

/** "11:51", in the reader's own time zone. */
export const timeOfDay = (time: number, formats: Formats): string => clockText(clockHere(time), formats);

/** The local wall-clock time, as if it were UTC. */
export const clockHere = (time: number): number => time - new Date(time).getTimezoneOffset() * minute;
