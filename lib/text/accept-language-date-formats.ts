import { defaultFormats, type Formats } from "./dates";

/** The maximum length of a header that is read, in characters. Browsers send far less. */
const maxHeaderLength = 300;

const known = new Map<string, Formats>();
/** The maximum size of the cache. The owners of one service use fewer regions. */
const maxKnown = 200;

/**
 * The formats of clocks and weeks in the region of the browser's first supported language. Later
 * languages, mostly `en-US`, don't show where someone lives.
 * @param accepted the `Accept-Language` header
 */
export function formatsOf(accepted: string | null | undefined): Formats {
  const tags = (accepted ?? "").slice(0, maxHeaderLength).split(/[;,]/);
  for (const tag of tags) {
    const locale = supported(tag.trim());
    if (!locale) continue;
    // The formats are cached, because creating a formatter is slow.
    const formats = known.get(locale) ?? formatsIn(locale);
    if (known.size >= maxKnown) known.clear();
    known.set(locale, formats);
    return formats;
  }
  return defaultFormats;
}

/** The tag without extensions (calendars, digits), if Intl supports its language. */
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
  // Newer versions of JavaScript have a function instead of the property.
  const here = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => Week; weekInfo?: Week };
  return { hour12, firstDay: ((here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1) % 7 };
}
