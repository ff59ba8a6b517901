"use client";
import { type RefObject, useLayoutEffect } from "react";

/** Distance to the element below, in pixels. */
const gap = 8;

type Edges = { top: number; bottom: number };

/**
 * How far a box must rise to stay clear of a bar, in pixels. A bar that starts in the top quarter
 * of the page is ignored.
 * @param box the box's position without rising
 * @param edge the bar's upper edge, or Infinity if there is no bar
 */
export function liftOver(box: Edges, { edge, foot }: { edge: number; foot: number }, pageHeight: number): number {
  const isUnder = edge < box.bottom + gap && foot > box.top && edge > pageHeight / 4;
  return isUnder ? box.bottom + gap - edge : 0;
}

/** The position of the bar. An element that protrudes from the bar's upper edge is part of it. */
function placeOf(bar: Element | null) {
  const edges = [bar, bar?.firstElementChild].flatMap((it) => it?.getClientRects()[0]?.top ?? []);
  return { edge: Math.min(...edges), foot: bar?.getBoundingClientRect().bottom ?? 0 };
}

/**
 * Keeps a box at the bottom of the page above an element.
 * @param above the selector of the element
 */
export function useToastLift(box: RefObject<HTMLElement | null>, above: string | undefined) {
  useLayoutEffect(() => {
    if (!above) return;
    let lift = 0;
    let raised: Animation | undefined;
    let observed: Element | null = null;
    const observe = (bar: Element | null) => {
      if (bar === observed) return;
      if (observed) sizes.unobserve(observed);
      if (bar) sizes.observe(bar);
      observed = bar;
    };
    const follow = () => {
      const here = box.current?.getBoundingClientRect();
      const bar = document.querySelector(above);
      if (!here) return;
      observe(bar);
      const unlifted = { top: here.top + lift, bottom: here.bottom + lift };
      const needed = liftOver(unlifted, placeOf(bar), window.innerHeight);
      if (needed === lift) return;
      raised?.cancel();
      raised = box.current?.animate({ translate: `0 ${-needed}px` }, { fill: "forwards" });
      lift = needed;
    };
    const sizes = new ResizeObserver(follow);
    for (const it of [document.body, box.current]) if (it) sizes.observe(it);
    // Another question has another answer bar.
    const changes = new MutationObserver(follow);
    changes.observe(document.body, { childList: true, subtree: true });
    const stop = new AbortController();
    for (const moves of ["scroll", "resize"])
      window.addEventListener(moves, follow, { signal: stop.signal, capture: true });
    follow();
    return () => {
      sizes.disconnect();
      changes.disconnect();
      stop.abort();
    };
  }, [above, box]);
}
