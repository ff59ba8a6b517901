/*
 * The server and the browser must format dates and numbers alike. The server creates these formats
 * (`lib/text/locale.ts`) and passes them to the browser, and both format by hand. Two versions of
 * Intl may differ in a space, which would make the browser render the page again.
 */

/**
 * Letters in patterns: d day, M month, y year, H hour of 24, h hour of 12, m minute, s second, a
 * half of the day; doubled for two digits.
 */
export type Formats = {
  /** "d M y", "M d, y". */
  date: string;
  /** "HH:mm", "h:mm a". */
  clock: string;
  /** Month names, January first. */
  months: readonly string[];
  /** AM and PM, if the clock has twelve hours. */
  halves: readonly string[];
  /** The separator before the last three of four digits. */
  group: string;
  /** 0 for Sunday. */
  firstDay: number;
};

/** The default if the reader is unknown. */
export const british: Formats = {
  date: "d M y",
  clock: "HH:mm",
  months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"],
  halves: [],
  group: ",",
  firstDay: 1,
};

/**
 * "20 Nov 2026".
 * @param shown wall-clock time in milliseconds as if it were UTC: see `wallClock`
 */
export const dateText = (shown: number, formats: Formats): string => write(formats.date, shown, formats);

/** "11:51", "11:51 am". @param shown as in `dateText` */
export const clockText = (shown: number, formats: Formats): string => write(formats.clock, shown, formats);

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** "Fri 11:51". @param shown as in `dateText` */
export const weekdayText = (shown: number, formats: Formats): string =>
  `${weekdays[new Date(shown).getUTCDay()]} ${clockText(shown, formats)}`;

/** A count of at most four digits, or a longer one without the reader's locale: "9,999". */
export const countText = (count: number, { group } = british): string => `${count}`.replace(/\B(?=(...)+$)/g, group);

/** A count up to a limit: "99+". */
export const upTo = (max: number, count: number, formats = british): string =>
  countText(Math.min(max, count), formats) + (count > max ? "+" : "");

function write(pattern: string, shown: number, { months, halves }: Formats): string {
  const date = new Date(shown);
  const hour = date.getUTCHours();
  const values: Record<string, string | number | undefined> = {
    d: date.getUTCDate(),
    M: months[date.getUTCMonth()],
    y: date.getUTCFullYear(),
    H: hour,
    h: hour % 12 || 12,
    m: date.getUTCMinutes(),
    s: date.getUTCSeconds(),
    a: halves[hour < 12 ? 0 : 1],
  };
  return pattern.replace(/([dMyHhmsa])\1?/g, (token, name: string) => `${values[name]}`.padStart(token.length, "0"));
}
