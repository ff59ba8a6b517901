/** Something that is under way to a place. */
export type Permit = {
  /** It was answered: from now on it is not under way, though what came of it is still being written down. */
  settle(well: boolean): void;
  /** All is done, or there will be no answer. */
  release(): void;
};

export type DestinationWindow = { place: string; size: number; underWay: number };

type Bounds = {
  /** How many may be under way to a place of which nothing is known, and most to any. */
  first: number;
  most: number;
  /** How long a place that is not used is remembered, in milliseconds, and how many such places. */
  forget: number;
  places: number;
};

/** `threshold`: below it the window grows by one with each answer, above it with each round of them. */
type Window = { size: number; threshold: number; underWay: number; unfinished: number; cutAt: number; usedAt: number };

/**
 * How much may be under way at a time to each of many places, of which some take more than others: a little at first, more as
 * they answer, and half of it after a failure, as TCP's congestion window (RFC 5681) does it. It is what this copy of the service
 * saw, and soon forgotten.
 */
export function congestionWindows({ first, most, forget, places }: Bounds, now = () => performance.now()) {
  /** Those used last stand last. */
  const windows = new Map<string, Window>();
  let begun = 0;

  const forgetOld = () => {
    for (const [place, { unfinished, usedAt }] of windows) {
      if (unfinished > 0) continue;
      if (windows.size < places && now() - usedAt < forget) return;
      windows.delete(place);
    }
  };
  const grow = (window: Window) => {
    // One that is not used says nothing of what the place would take.
    if (window.underWay * 2 <= window.size) return;
    window.size = Math.min(most, window.size + (window.size < window.threshold ? 1 : 1 / window.size));
  };
  const cut = (window: Window) => {
    window.size = window.threshold = Math.max(1, Math.floor(window.size / 2));
    window.cutAt = begun;
  };

  return {
    /** Something is sent to a place. */
    acquire(place: string): Permit {
      const nth = ++begun;
      const known = windows.get(place);
      windows.delete(place);
      forgetOld();
      const window = known ?? { size: first, threshold: most, underWay: 0, unfinished: 0, cutAt: 0, usedAt: 0 };
      windows.set(place, window);
      window.usedAt = now();
      window.underWay++;
      window.unfinished++;
      let waits = true;
      const arrive = () => {
        if (waits) window.underWay--;
        waits = false;
      };
      return {
        settle: (well) => {
          if (well) grow(window);
          // What was under way already when it was cut says nothing of how large it is now.
          else if (nth > window.cutAt) cut(window);
          arrive();
        },
        release: () => {
          arrive();
          window.unfinished--;
        },
      };
    },
    /** How many may be under way to each place, and how many are, where that is not what it is of one that is not known. */
    sizes(): DestinationWindow[] {
      return [...windows]
        .filter(([, { unfinished, usedAt }]) => unfinished > 0 || now() - usedAt < forget)
        .map(([place, { size, underWay }]) => ({ place, size: Math.floor(size), underWay }))
        .filter(({ size, underWay }) => size !== first || underWay > 0);
    },
  };
}
