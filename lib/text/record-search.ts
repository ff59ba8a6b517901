/*
 * An owner's search must find the same records on every PostgreSQL, regardless of its locale. Texts
 * are therefore compared in Node.js, for up to 10,000 records at a time. The page then shows how
 * far the search got, and offers to continue.
 */

/** The number of records that one search checks, newest first, before it offers to continue. */
export const searchReach = 10_000;

/**
 * Returns a function that reports whether each search word occurs in some of the texts, ignoring
 * case and width. The database can't do this, because its case folding depends on its setup.
 */
export function searchFor(typed: string): (texts: readonly string[]) => boolean {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return (texts) => {
    const whole = fold(texts.join("\n"));
    return words.every((word) => whole.includes(word));
  };
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/**
 * Makes a page from rows that include one more than the page size. `next` is the next page's
 * cursor.
 */
export const firstPage = <Row extends { id: string }>(found: readonly Row[], size: number) => {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, ...(found.length > size && last && { next: last.id }) };
};

/**
 * `after` is where to start, and `max` the number of matches per page. `sizes` lists the rows per
 * read, and the last applies to all further reads. `reach` is the maximum number of rows to read.
 */
type Sifting = { after: string | undefined; max: number; sizes: readonly number[]; reach: number };

/**
 * The next matching rows of a list.
 * @param read reads a number of rows after an ID, plus one if there are more
 * @returns `next`, the next page's cursor; `reached`, the time of the last row that was read, if
 *   the search stopped early (epoch milliseconds)
 */
export async function scanMatches<Row extends { id: string; at: number }>(
  read: (after: string | undefined, size: number) => Promise<Row[]>,
  fits: (row: Row) => boolean,
  { after, max, sizes, reach }: Sifting,
): Promise<{ found: Row[]; next?: string | undefined; reached?: number | undefined }> {
  const found: Row[] = [];
  let from = after;
  for (let seen = 0, step = 0; ; step++) {
    const size = Math.min(sizes[Math.min(step, sizes.length - 1)] ?? max, reach - seen);
    const rows = await read(from, size);
    const some = rows.slice(0, size);
    const more = rows.length > size;
    for (const row of some) {
      if (!fits(row)) continue;
      found.push(row);
      if (found.length === max) return { found, next: more || row !== some.at(-1) ? row.id : undefined };
    }
    seen += some.length;
    from = some.at(-1)?.id;
    if (!more) return { found };
    if (seen >= reach) return { found, next: from, reached: some.at(-1)?.at };
  }
}
