/** A running request to a destination. */
export type Permit = {
  /**
   * The destination responded: the request no longer counts, though its outcome is still being
   * recorded.
   */
  settle(well: boolean): void;
  /** The request is complete, or no response will come. */
  release(): void;
};

export type DestinationWindow = { place: string; size: number; underWay: number };

type Bounds = {
  /** The window of an unknown destination, and the largest window. */
  first: number;
  max: number;
  /**
   * How long an idle destination is remembered, in milliseconds, and the maximum number of those.
   */
  forget: number;
  places: number;
};

/**
 * `threshold`: below it the window grows by one per response, above it by one per round of
 * responses.
 */
type Window = { size: number; threshold: number; underWay: number; unfinished: number; cutAt: number; usedAt: number };

/**
 * Concurrency limit per destination, because some accept more than others: low at first, higher as
 * they respond, and halved after a failure, like TCP's congestion window (RFC 5681). It covers only
 * this instance's requests, and soon expires.
 */
export function congestionWindows({ first, max, forget, places }: Bounds, now = () => performance.now()) {
  /** Ordered by last use. */
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
    // An underused window reveals nothing about the destination's capacity.
    if (window.underWay * 2 <= window.size) return;
    window.size = Math.min(max, window.size + (window.size < window.threshold ? 1 : 1 / window.size));
  };
  const cut = (window: Window) => {
    window.size = window.threshold = Math.max(1, Math.floor(window.size / 2));
    window.cutAt = begun;
  };

  return {
    /** A request is sent to a destination. */
    acquire(place: string): Permit {
      const nth = ++begun;
      const known = windows.get(place);
      windows.delete(place);
      forgetOld();
      const window = known ?? { size: first, threshold: max, underWay: 0, unfinished: 0, cutAt: 0, usedAt: 0 };
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
          // A failure of a request from before the last cut reveals nothing about the smaller
          // window.
          else if (nth > window.cutAt) cut(window);
          arrive();
        },
        release: () => {
          arrive();
          window.unfinished--;
        },
      };
    },
    /**
     * Each destination's window and current use, except for those in an unknown destination's
     * state.
     */
    sizes(): DestinationWindow[] {
      return [...windows]
        .filter(([, { unfinished, usedAt }]) => unfinished > 0 || now() - usedAt < forget)
        .map(([place, { size, underWay }]) => ({ place, size: Math.floor(size), underWay }))
        .filter(({ size, underWay }) => size !== first || underWay > 0);
    },
  };
}
