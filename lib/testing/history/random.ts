/** Seeded pseudorandom choices, so that a run with the same seed makes the same choices. */
export type Random = {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns a whole number in a range, which includes both ends. */
  between(from: number, to: number): number;
  /** Whether an event of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
};

/** Creates a generator (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T;
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick,
    shuffle: (list) => {
      const rest = [...list];
      return list.map(() => rest.splice(between(0, rest.length - 1), 1)[0] as (typeof rest)[number]);
    },
  };
}
