/** A part of a page, from one heading to the next. */
export type DocsSection = { href: string; page: string; heading: string; text: string };

const most = 12;

/**
 * The parts in which every word begins some word: first those that have it whole, or several of it, and of those, where it
 * stands in a heading.
 * @param typed what a reader looks for
 */
export function findSections(sections: readonly DocsSection[], typed: string): DocsSection[] {
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  const points = (section: DocsSection) =>
    Math.min(...words.map(([whole, begun]) => 100 * pointsOf(section, whole) || pointsOf(section, begun)));
  return sections
    .map((section) => ({ section, points: points(section) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, most)
    .map(({ section }) => section);
}

/** Each word that was typed, as it is found whole and as the beginning of another. */
const wordsOf = (typed: string) =>
  (typed.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word): [whole: RegExp, begun: RegExp] => {
    const begun = `(?<![\\p{L}\\p{N}])${word}`;
    return [new RegExp(`${begun}(e?s)?(?![\\p{L}\\p{N}])`, "giu"), new RegExp(begun, "giu")];
  });

/** A heading weighs more than any number of times in the text. */
function pointsOf({ page, heading, text }: DocsSection, pattern: RegExp): number {
  const times = (where: string) => where.match(pattern)?.length ?? 0;
  return 20 * Math.min(times(heading), 1) + 10 * Math.min(times(page), 1) + Math.min(times(text), 9);
}

/** Some words of the text around the first of those looked for, where it is whole if it is anywhere. */
export function around({ text }: DocsSection, typed: string): string {
  const [patterns = []] = wordsOf(typed);
  const at = patterns.map((pattern) => text.search(pattern)).find((found) => found >= 0) ?? 0;
  const from = at < 50 ? 0 : text.indexOf(" ", at - 40) + 1;
  const to = text.length > from + 140 ? text.lastIndexOf(" ", from + 140) : text.length;
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}
