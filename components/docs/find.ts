/** A part of a page, from one heading to the next. */
export type DocsSection = { href: string; page: string; heading: string; text: string };

const most = 12;

/**
 * The parts in which every word begins some word, those first where it stands in a heading.
 * @param typed what a reader looks for
 */
export function findSections(sections: readonly DocsSection[], typed: string): DocsSection[] {
  const words = typed.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "giu"));
  return sections
    .map((section) => ({ section, points: Math.min(...patterns.map((pattern) => pointsOf(section, pattern))) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, most)
    .map(({ section }) => section);
}

/** A heading weighs more than any number of times in the text. */
function pointsOf({ page, heading, text }: DocsSection, pattern: RegExp): number {
  const times = (where: string) => where.match(pattern)?.length ?? 0;
  return 20 * Math.min(times(heading), 1) + 10 * Math.min(times(page), 1) + Math.min(times(text), 9);
}

/** Some words of the text around the first of those looked for. */
export function around({ text }: DocsSection, typed: string): string {
  const first = typed.trim().split(/\s+/)[0]?.toLowerCase() ?? "";
  const at = Math.max(text.toLowerCase().indexOf(first), 0);
  const from = at < 50 ? 0 : text.indexOf(" ", at - 40) + 1;
  const to = text.length > from + 140 ? text.lastIndexOf(" ", from + 140) : text.length;
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}
