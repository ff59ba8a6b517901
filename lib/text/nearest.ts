/**
 * How many letters must be added, removed, replaced or swapped with their neighbor to turn one word
 * into another (the optimal string alignment distance).
 */
export function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const ways = [cell(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, cell(rows, i - 1, j - 1) + same];
      row.push(Math.min(...ways, swapped ? cell(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    rows.push(row);
  }
  return cell(rows, one.length, other.length);
}

const cell = (rows: readonly number[][], i: number, j: number) => rows[i]?.[j] ?? 0;

/** The longest word that is compared, because the work grows with the square. */
const longest = 60;

/** The likely intended word: at most a third of its letters differ. Undefined if none is close. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > longest) return undefined;
  const folded = word.toLowerCase();
  const allowed = Math.floor(Math.max(folded.length, 3) / 3);
  const near = words
    .map((each) => ({ each, distance: editDistance(folded, each.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.each;
}
