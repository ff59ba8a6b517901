import { defaultFormats, type Formats } from "./dates";

/** How much of a header is read, in characters. Browsers send far less. */
const maxHeaderLength = 300;

const known = new Map<string, Formats>();
/** The maximum size of the cache. The owners of a service use fewer regions. */
const maxKnown = 200;

/**
 * Returns how clocks and weeks are written in the region of the browser's first language that is
 * supported. Later languages, mostly `en-US`, don't show where someone lives.
 * @param accepted the `Accept-Language` header
 */
export function formatsOf(accepted: string | null | undefined): Formats {
  const tags = (accepted ?? "").slice(0, maxHeaderLength).split(/[;,]/);
  for (const tag of tags) {
    const locale = supported(tag.trim());
    if (!locale) continue;
    // Cached, because creating a formatter is slow.
    const formats = known.get(locale) ?? formatsIn(locale);
    if (known.size >= maxKnown) known.clear();
    known.set(locale, formats);
    return formats;
  }
  return defaultFormats;
}

/**
 * Returns the tag without extensions (calendars, digits). Undefined if Intl doesn't support its
 * language.
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
  // Newer versions of JavaScript have a function instead of a property.
  const here = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => Week; weekInfo?: Week };
  return { hour12, firstDay: ((here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1) % 7 };
}
