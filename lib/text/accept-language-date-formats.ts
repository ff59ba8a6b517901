import { defaultFormats, type Formats } from "./dates";

/** The number of characters of a header that are read. Browsers send far fewer. */
const maxHeaderLength = 300;

const known = new Map<string, Formats>();
/** The maximum number of cached locales. The owners of a service use fewer. */
const maxKnown = 200;

/**
 * Returns how times and weeks are written in the region of the browser's first supported language.
 * Later languages, mostly `en-US`, don't show where someone lives.
 * @param accepted the `Accept-Language` header
 */
export function formatsOf(accepted: string | null | undefined): Formats {
  const tags = (accepted ?? "").slice(0, maxHeaderLength).split(/[;,]/);
  for (const tag of tags) {
    const locale = supported(tag.trim());
    if (!locale) continue;
    // Uses a cache, because creating a formatter is slow.
    const formats = known.get(locale) ?? formatsIn(locale);
    if (known.size >= maxKnown) known.clear();
    known.set(locale, formats);
    return formats;
  }
  return defaultFormats;
}

/**
 * Returns the language tag without extensions (such as calendars or digits), or undefined if Intl
 * doesn't support the language.
 */
function supported(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(new Intl.Locale(tag).baseName)[0];
  } catch {
    return undefined;
  }
}

type Week = { firstDay: number };

function formatsIn(locale: string): Formats {
  const { hour12 = false } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  // Newer JavaScript engines have a function instead of the property.
  const here = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => Week; weekInfo?: Week };
  return { hour12, firstDay: ((here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1) % 7 };
}
