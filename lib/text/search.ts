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
