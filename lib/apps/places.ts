/** So many at one moment: in all, and of each thing that one may have much of. */
type Bounds = { all: number } & Record<string, number>;

/**
 * Places for what takes long, in this process. Whoever holds all that one may have leaves the others to everybody else.
 * @returns a way to take one for what it is `of`, by the names of the bounds; undefined while there is none, else how to leave it
 */
export function places(bounds: Bounds) {
  const taken = new Map<string, number>();
  return (of: Record<string, string>): (() => void) | undefined => {
    const counted = [["all", ""], ...Object.entries(of)].map(
      ([name = "", what = ""]) => [name, `${name} ${what}`] as const,
    );
    if (counted.some(([name, key]) => (taken.get(key) ?? 0) >= (bounds[name] ?? 0))) return undefined;
    for (const [, key] of counted) taken.set(key, (taken.get(key) ?? 0) + 1);
    return () => {
      for (const [, key] of counted) {
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      }
    };
  };
}
