/*
 * Lists are paged by keyset. An owner's search looks at up to 10,000 records from there in Node, so that it finds the same
 * on every PostgreSQL, whatever its locale; the page then says how far it looked and offers to continue. `findApprovals`,
 * `readActivity` and `readFeed` work this way. Days are the owner's (`local-time.ts`). Downloads are streamed by
 * `fileStream` from an `export…` generator, and CSV is written with `csvLine`, which no spreadsheet runs as a formula.
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
