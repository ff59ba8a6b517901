/**
 * Limits long-lived work on an instance, so that a holder with its whole share leaves places to
 * others.
 * @param max the limit for each holder, by kind of holder; `all` is the limit in total
 * @returns a function that takes a place for the given holders; it returns a function that gives
 * the place back, or undefined if there is none
 */
export function concurrencyLimiter<Kind extends string>(max: Record<Kind | "all", number>) {
  const taken = new Map<string, number>();
  return (holders: { readonly [kind in Kind]?: string | undefined }): (() => void) | undefined => {
    const counted = [["all", ""] as const, ...(Object.entries(holders) as [Kind, string | undefined][])]
      .filter(([, holder]) => holder !== undefined)
      .map(([kind, holder]) => ({ key: `${kind} ${holder}`, bound: max[kind] }));
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
