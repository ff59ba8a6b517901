/**
 * Returns the number of letters to add, remove, replace or swap with a neighbor, to turn one word
 * into the other (optimal string alignment distance).
 */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [cell(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, cell(rows, i - 1, j - 1) + same];
      row.push(Math.min(...ways, swapped ? cell(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    rows.push(row);
  }
  return cell(rows, a.length, b.length);
}

const cell = (rows: readonly number[][], i: number, j: number) => rows[i]?.[j] ?? 0;

/** The maximum length of a word to compare, because the cost is quadratic. */
const maxLength = 60;

/**
 * Returns the word that was probably meant, from which at most a third of the letters differ.
 * Undefined if none is that similar.
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined;
  const folded = word.toLowerCase();
  const allowed = Math.floor(Math.max(folded.length, 3) / 3);
  const near = words
    .map((each) => ({ each, distance: editDistance(folded, each.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.each;
}
