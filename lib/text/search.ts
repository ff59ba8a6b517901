/*
 * An owner's search must find the same on every PostgreSQL, whatever its locale, so it checks up to
 * 10,000 records in Node. The page then shows how far it searched and offers to continue. Lists are
 * paged by keyset.
 */

/** Records checked by one search, newest first, before it offers to continue. */
export const searchReach = 10_000;

/**
 * Whether every search word occurs in some text, ignoring case and width. Not done in the database,
 * whose case folding depends on its setup.
 */
export function searchFor(typed: string): (texts: readonly string[]) => boolean {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return (texts) => {
    const whole = fold(texts.join("\n"));
    return words.every((word) => whole.includes(word));
  };
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** A page of rows, from one row more than the page size. `next` is its cursor. */
export const firstPage = <Row extends { id: string }>(found: readonly Row[], size: number) => {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, ...(found.length > size && last && { next: last.id }) };
};

/**
 * `after`: where to start; `max`: matches per page; `sizes`: rows per read, the last for all
 * further reads; `reach`: rows in total.
 */
type Sifting = { after: string | undefined; max: number; sizes: readonly number[]; reach: number };

/**
 * The next matching rows of a list.
 * @param read reads a number of rows after an id, plus one if there are more
 * @returns `next`: the page's cursor; `reached`, if the search stopped early: how far it got (epoch
 * ms)
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
