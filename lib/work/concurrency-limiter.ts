/**
 * A limited number of places for what takes long, on one copy of the service. Whoever holds all that one may have leaves the
 * others to everybody else.
 * @param most how many at one moment, of each kind of holder; `all` together
 * @returns a way to take one for its holders, by kind: how to give it back, once; undefined while there is none
 */
export function concurrencyLimiter<Kind extends string>(most: Record<Kind | "all", number>) {
  const taken = new Map<string, number>();
  return (holders: { readonly [kind in Kind]?: string | undefined }): (() => void) | undefined => {
    const counted = [["all", ""] as const, ...(Object.entries(holders) as [Kind, string | undefined][])]
      .filter(([, holder]) => holder !== undefined)
      .map(([kind, holder]) => ({ key: `${kind} ${holder}`, bound: most[kind] }));
    if (counted.some(({ key, bound }) => (taken.get(key) ?? 0) >= bound)) return undefined;
    for (const { key } of counted) taken.set(key, (taken.get(key) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const { key } of counted) {
        const now = (taken.get(key) ?? 1) - 1;
        if (now > 0) taken.set(key, now);
        else taken.delete(key);
      }
    };
  };
}
