import { clock } from "@/lib/clock";

/** A running request to a destination. */
export type Permit = {
  /**
   * Called when the destination has responded. `well` is whether it reported success. The request
   * then no longer counts toward the window, even if its outcome is still being recorded.
   */
  settle(well: boolean): void;
  /** Called when the request is complete, or will get no response. */
  release(): void;
};

export type DestinationWindow = { place: string; size: number; underWay: number };

export type WindowBounds = {
  /** The initial and the maximum window of a destination, in concurrent requests. */
  first: number;
  max: number;
  /**
   * How long the state of an idle destination is kept, in milliseconds, and the maximum number of
   * kept destinations.
   */
  forget: number;
  places: number;
};

/**
 * Below `threshold`, the window grows by one with each response. Above it, the window grows by one
 * with each round of responses.
 */
type Window = { size: number; threshold: number; underWay: number; unfinished: number; cutAt: number; usedAt: number };

/**
 * Limits the concurrency for each destination, because some can handle more requests than others.
 * The limit starts low, grows with responses, and is halved after a failure, like TCP's congestion
 * window (RFC 5681). It covers only this instance's requests.
 */
export function congestionWindows({ first, max, forget, places }: WindowBounds, now = () => clock.elapsed()) {
  /** Destinations, ordered by last use. */
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
    // An underused window says nothing about the destination's capacity.
    if (window.underWay * 2 <= window.size) return;
    window.size = Math.min(max, window.size + (window.size < window.threshold ? 1 : 1 / window.size));
  };
  const cut = (window: Window) => {
    window.size = window.threshold = Math.max(1, Math.floor(window.size / 2));
    window.cutAt = begun;
  };

  return {
    /** Counts a request that is being sent to a destination. */
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
          // The failure of a request from before the last cut says nothing about the smaller
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
    /** Returns a destination's window and current use. */
    sizeOf(place: string): Omit<DestinationWindow, "place"> {
      const { size, underWay } = windows.get(place) ?? { size: first, underWay: 0 };
      return { size: Math.floor(size), underWay };
    },
    /** Returns the window and current use of each destination that is not in the initial state. */
    sizes(): DestinationWindow[] {
      return [...windows]
        .filter(([, { unfinished, usedAt }]) => unfinished > 0 || now() - usedAt < forget)
        .map(([place, { size, underWay }]) => ({ place, size: Math.floor(size), underWay }))
        .filter(({ size, underWay }) => size !== first || underWay > 0);
    },
  };
}
