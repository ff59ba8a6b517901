/*
 * A search must find the same records on every PostgreSQL, whatever its locale, so texts are
 * compared in Node.js. A search stops after 10,000 records. The page then shows how far it got, and
 * offers to continue.
 */

/**
 * The maximum number of records that a search checks before it offers to continue, newest first.
 */
export const searchReach = 10_000;

/**
 * Returns a function that tells whether all search words occur in some texts, ignoring case and
 * width. The database can't do this, because its case folding depends on its setup.
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
 * Makes a page from rows of which one more than the page size was read. `next` is the cursor of the
 * next page.
 */
export const firstPage = <Row extends { id: string }>(found: readonly Row[], size: number) => {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, ...(found.length > size && last && { next: last.id }) };
};

/**
 * `after` is where to start. `max` is the number of matches per page. `sizes` are the numbers of
 * rows to read at a time, of which the last one repeats. `reach` is the maximum number of rows to
 * read in total.
 */
type Sifting = { after: string | undefined; max: number; sizes: readonly number[]; reach: number };

/**
 * Finds the next matching rows of a list.
 * @param read reads a number of rows after an ID, plus one if there are more
 * @returns `next`, the cursor of the next page; `reached`, the time of the last row that was read
 * (epoch milliseconds), if the search stopped early
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
