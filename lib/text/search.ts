/*
 * Lists are paged by keyset. An owner's search looks at up to 10,000 records from there in Node, so that it finds the same
 * on every PostgreSQL, whatever its locale; the page then says how far it looked and offers to continue.
 */

/** A search looks at so many records, newest first, before it asks whether to go on. */
export const searchReach = 10_000;

/**
 * Whether every word of what somebody typed stands in some text, whatever the case and the width of letters. The database
 * does not do this: how it folds letters depends on how it was set up.
 */
export function searchFor(typed: string): (said: readonly string[]) => boolean {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return (said) => {
    const whole = fold(said.join("\n"));
    return words.every((word) => whole.includes(word));
  };
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** A page of rows of which one more was read than it holds. `next` continues after it. */
export const firstPage = <Row extends { id: string }>(found: readonly Row[], size: number) => {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, ...(found.length > size && last && { next: last.id }) };
};

/** `after`: from where; `most` that fit; `sizes`: how many are looked at in one go, the last for all that follow; `reach` in all. */
type Sifting = { after: string | undefined; most: number; sizes: readonly number[]; reach: number };

/**
 * The next rows of a list that fit.
 * @param read so many of the list after an id, and one more where there is one
 * @returns `next` continues after it; `reached` is there when it stopped early: the time it got to, epoch ms
 */
export async function scanMatches<Row extends { id: string; at: number }>(
  read: (after: string | undefined, size: number) => Promise<Row[]>,
  fits: (row: Row) => boolean,
  { after, most, sizes, reach }: Sifting,
): Promise<{ found: Row[]; next?: string | undefined; reached?: number | undefined }> {
  const found: Row[] = [];
  let from = after;
  for (let seen = 0, step = 0; ; step++) {
    const size = Math.min(sizes[Math.min(step, sizes.length - 1)] ?? most, reach - seen);
    const rows = await read(from, size);
    const some = rows.slice(0, size);
    const more = rows.length > size;
    for (const row of some) {
      if (!fits(row)) continue;
      found.push(row);
      if (found.length === most) return { found, next: more || row !== some.at(-1) ? row.id : undefined };
    }
    seen += some.length;
    from = some.at(-1)?.id;
    if (!more) return { found };
    if (seen >= reach) return { found, next: from, reached: some.at(-1)?.at };
  }
}
