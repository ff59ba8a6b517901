import { wallClock } from "./local-time";

/*
 * The server and the browser must format times identically, so this module doesn't use Intl, whose
 * versions differ. Only the 12- or 24-hour clock and the first day of the week depend on the
 * reader's region. `shown` and `now` are wall-clock times in milliseconds, encoded as if they were
 * UTC (see `wallClock`).
 */
export type Formats = {
  /** Whether clocks have twelve hours: "6:08 PM". */
  hour12: boolean;
  /** The first day of the week, 0 for Sunday. */
  firstDay: number;
};

/** The default for unknown readers, as in emails. */
export const defaultFormats: Formats = { hour12: false, firstDay: 1 };

const dayMs = 86_400_000;
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const months = "January February March April May June July August September October November December".split(
  " ",
) as string[];

const twoDigits = (number: number) => `${number}`.padStart(2, "0");

/** A time of day: "18:08" or "6:08 PM". With seconds: "18:08:05". */
export function clockText(shown: number, { hour12 }: Formats, { seconds = false } = {}): string {
  const date = new Date(shown);
  const hour = date.getUTCHours();
  const rest = [date.getUTCMinutes(), ...(seconds ? [date.getUTCSeconds()] : [])].map((it) => `:${twoDigits(it)}`);
  return hour12
    ? `${hour % 12 || 12}${rest.join("")}\u00a0${hour < 12 ? "AM" : "PM"}`
    : `${twoDigits(hour)}${rest.join("")}`;
}

/** A date, such as "Nov 20". The year follows if it is not the current one. */
export const dateText = (shown: number, now: number): string =>
  `${monthOf(shown).slice(0, 3)} ${new Date(shown).getUTCDate()}${otherYear(shown, now)}`;

/** A time with its day: "18:08" today, "yesterday 18:08", "tomorrow 18:08", "Nov 20, 18:08". */
export function momentText(shown: number, now: number, formats: Formats): string {
  const clock = clockText(shown, formats);
  const days = Math.floor(shown / dayMs) - Math.floor(now / dayMs);
  if (days === 0) return clock;
  if (Math.abs(days) === 1) return `${days < 0 ? "yesterday" : "tomorrow"} ${clock}`;
  return `${dateText(shown, now)}, ${clock}`;
}

/**
 * A result of `momentText` for use in a sentence: "at 18:08", "yesterday 18:08", "on Nov 20,
 * 18:08".
 */
export const inSentence = (moment: string): string =>
  /^\d/.test(moment) ? `at ${moment}` : moment.includes(",") ? `on ${moment}` : moment;

/** A time with its weekday: "Fri 18:08". */
export const weekdayText = (shown: number, formats: Formats): string =>
  `${weekdayOf(shown).slice(0, 3)} ${clockText(shown, formats)}`;

/** A day ("2026-11-20") as a heading: "Today", "Yesterday", "Friday, November 20". */
export function dayName(day: string, today: string): string {
  const [shown, now] = [Date.parse(day), Date.parse(today)];
  if (now - shown === 0) return "Today";
  if (now - shown === dayMs) return "Yesterday";
  return `${weekdayOf(shown)}, ${monthOf(shown)} ${new Date(shown).getUTCDate()}${otherYear(shown, now)}`;
}

const weekdayOf = (shown: number) => weekdays[new Date(shown).getUTCDay()] as string;
const monthOf = (shown: number) => months[new Date(shown).getUTCMonth()] as string;
const yearOf = (shown: number) => new Date(shown).getUTCFullYear();
const otherYear = (shown: number, now: number) => (yearOf(shown) === yearOf(now) ? "" : `, ${yearOf(shown)}`);

/**
 * An owner's time zone (an IANA name). If it is undefined, times are in UTC, and the text says so.
 */
type Zone = { timeZone: string | undefined; formats?: Formats };

/**
 * The time of day in a time zone: "12:04", or "12:04 UTC" without one.
 * @param time epoch milliseconds
 */
export const clockIn = (time: number, { timeZone, formats = defaultFormats }: Zone, seconds = false): string =>
  clockText(wallClock(time, timeZone ?? "UTC"), formats, { seconds }) + utc(timeZone);

/** `momentText` in a time zone. @param time epoch milliseconds, like `now` */
export function momentIn(time: number, { now, timeZone, formats = defaultFormats }: Zone & { now: number }): string {
  const [shown, today] = [time, now].map((it) => wallClock(it, timeZone ?? "UTC")) as [number, number];
  return momentText(shown, today, formats) + utc(timeZone);
}

const utc = (timeZone: string | undefined) => (timeZone === undefined ? " UTC" : "");
