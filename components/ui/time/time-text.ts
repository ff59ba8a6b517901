import { clockText, dateText, type Formats, inSentence, momentText } from "@/lib/text/dates";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A short relative time: "just now", "4 min ago", "2 h ago", "3 d ago", then the date. Times to
 * come read "in 5 min".
 */
export function relativeTime(time: number, now: number): string {
  const past = now - time;
  const size = Math.abs(past);
  if (size < minute) return past < 0 ? "in a moment" : "just now";
  if (size >= 30 * day) return dateText(clockHere(time), clockHere(now));
  const text =
    size < hour
      ? `${Math.floor(size / minute)} min`
      : size < day
        ? `${Math.floor(size / hour)} h`
        : `${Math.floor(size / day)} d`;
  return past < 0 ? `in ${text}` : `${text} ago`;
}

/**
 * A time with its day, in the reader's own time zone: "11:51" today, "yesterday 11:51", "Nov 20,
 * 11:51".
 */
export const momentHere = (time: number, formats: Formats, now = Date.now()): string =>
  momentText(clockHere(time), clockHere(now), formats);

/** The same time inside a sentence: "at 11:51" today, "yesterday 11:51", "on Nov 20, 11:51". */
export const momentInWords = (time: number, formats: Formats): string => inSentence(momentHere(time, formats));

/** A time of day, in the reader's own time zone: "11:51". */
export const timeOfDay = (time: number, formats: Formats): string => clockText(clockHere(time), formats);

/** The local wall-clock time, encoded as if it were UTC. */
export const clockHere = (time: number): number => time - new Date(time).getTimezoneOffset() * minute;
