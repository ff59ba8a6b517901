/** The first letters of a name's first two words. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/[\s._-]+/u)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("");
