import { british, type Formats } from "./formats";

/*
 * All our text is English, but dates and numbers follow the region of the browser's first language:
 * `de-DE` gives English words with German digit grouping (`en-DE`). Later languages, mostly
 * `en-US`, don't show where someone lives, and locales without their own English in CLDR (`en-EG`)
 * use world English (`en-001`). Digits are always Latin and years Gregorian.
 */

/** Intl locales: for dates with English words, and for numbers. */
export type ReaderLocale = { dates: string; numbers: string };

const ours: ReaderLocale = { dates: "en-GB", numbers: "en-GB" };

/** Longest header that is read, in characters; browsers send far less. */
const maxHeaderLength = 300;

/** @param accepted the `Accept-Language` header */
export function localeOf(accepted: string | null | undefined): ReaderLocale {
  for (const tag of inOrder(accepted ?? "")) {
    const own = supported(tag);
    if (own) return remembered(locales, own, () => localeFor(own));
  }
  return ours;
}

/** The header's tags, most preferred first. */
function inOrder(accepted: string): string[] {
  const wanted = accepted
    .slice(0, maxHeaderLength)
    .split(",")
    .map((each) => {
      const [tag = "", q = "q=1"] = each.split(";").map((part) => part.trim());
      return { tag, weight: Number(/^q=([\d.]+)$/i.exec(q)?.[1] ?? 0) };
    });
  return wanted
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The tag without extensions (calendars, digits), if Intl supports its language. */
function supported(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(new Intl.Locale(tag).baseName)[0];
  } catch {
    return undefined;
  }
}

function localeFor(own: string): ReaderLocale {
  const english = `en-${regionOf(own)}`;
  const { locale } = new Intl.DateTimeFormat(english).resolvedOptions();
  const { hourCycle } = new Intl.DateTimeFormat(own, { hour: "numeric" }).resolvedOptions();
  return { dates: `${locale === english ? english : "en-001"}-u-hc-${hourCycle}`, numbers: `${own}-u-nu-latn` };
}

const regionOf = (locale: string) => new Intl.Locale(locale).maximize().region;

/** The reader's formats, for pages to pass to the browser. */
export const formatsOf = ({ dates, numbers }: ReaderLocale): Formats =>
  remembered(formats, `${dates} ${numbers}`, () => {
    const date = new Intl.DateTimeFormat(dates, { dateStyle: "medium", ...alike });
    const clock = new Intl.DateTimeFormat(dates, { timeStyle: "short", ...alike });
    const { hourCycle } = clock.resolvedOptions();
    const hours = hourCycle === "h23" || hourCycle === "h24" ? "H" : "h";
    const names = { day: "d", month: "M", year: "y", hour: hours, minute: "m", dayPeriod: "a" };
    const pattern = (of: Intl.DateTimeFormat) =>
      of
        .formatToParts(sample)
        .map(({ type, value }) => {
          const name = type in names ? names[type as keyof typeof names] : undefined;
          if (!name) return unbroken(value);
          return /^0\d$/.test(value) && name !== "M" ? name.repeat(2) : name;
        })
        .join("");
    const part = (of: Intl.DateTimeFormat, type: string, time: number) =>
      unbroken(of.formatToParts(time).find((it) => it.type === type)?.value ?? "");
    return {
      date: pattern(date),
      clock: pattern(clock),
      months: british.months.map((_, month) => part(date, "month", Date.UTC(2026, month, 5))),
      halves: hours === "h" ? [part(clock, "dayPeriod", sample), part(clock, "dayPeriod", sample + 43_200_000)] : [],
      group: numberText(1000, { dates, numbers }).slice(1, -3),
      firstDay: firstDayOf(numbers),
    };
  });

const alike = { timeZone: "UTC", calendar: "gregory", numberingSystem: "latn" } as const;
/** A day, an hour and a minute of one digit each. */
const sample = Date.UTC(2026, 8, 5, 4, 7);
/** Not every font has the narrow space. */
const unbroken = (text: string) => text.replaceAll("\u202f", "\u00a0");

type Week = { firstDay: number };

/** 0 for Sunday. Newer versions have a function instead of the property. */
function firstDayOf(locale: string): number {
  const here = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => Week; weekInfo?: Week };
  return ((here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1) % 7;
}

/** A number of any size: "1,234,567". */
export const numberText = (count: number, { numbers }: ReaderLocale): string =>
  unbroken(remembered(numberFormats, numbers, () => new Intl.NumberFormat(numbers)).format(count));

/**
 * A day ("2026-11-20") as a heading: "Today", "Yesterday", "Friday 20 November", with the year if
 * it differs.
 */
export function dayName(day: string, today: string, { dates }: ReaderLocale): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  const ago = (Date.parse(`${today}T00:00:00Z`) - time) / 86_400_000;
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: "numeric" } as const);
  return remembered(dayFormats, `${dates} ${"year" in year}`, () => {
    return new Intl.DateTimeFormat(dates, { weekday: "long", day: "numeric", month: "long", ...year, ...alike });
  }).format(time);
}

const locales = new Map<string, ReaderLocale>();
const formats = new Map<string, Formats>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Cache limit. The owners of one service use fewer regions and languages. */
const maxCached = 200;

/** Creating a formatter is slow, and a page may need the same hundreds of times. */
function remembered<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= maxCached) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}
