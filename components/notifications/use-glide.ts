"use client";
import { useLayoutEffect, useRef } from "react";
import { isStill } from "./use-rows";

const glideMs = 120;

/** Rows that change place glide there, so that the eye can follow and nothing jumps. @param order changes when places may */
export function useGlide(order: unknown): React.RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const places = useRef(new Map<string, number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: places are those of the order
  useLayoutEffect(() => {
    const before = places.current;
    const now = new Map<string, number>();
    for (const row of list.current?.children ?? []) {
      if (!(row instanceof HTMLElement) || row.dataset.slot === undefined) continue;
      const { slot } = row.dataset;
      now.set(slot, row.offsetTop);
      const from = before.get(slot);
      if (from !== undefined && from !== row.offsetTop && !isStill())
        row.animate(
          { transform: [`translateY(${from - row.offsetTop}px)`, "none"] },
          { duration: glideMs, easing: "ease-out" },
        );
    }
    places.current = now;
  }, [order]);
  return list;
}
