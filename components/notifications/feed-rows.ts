"use client";
import { useLayoutEffect, useRef } from "react";
import type { RowRules } from "@/components/triage/rows";
import { useRows } from "@/components/triage/use-rows";
import type { FeedNotification } from "./types";

/** A row keeps the place in which it was first shown, also when something newer takes it over. */
export type PlacedNotification = FeedNotification & { sortAt?: number };

const sortTime = ({ sortAt, doneAt, surfacedAt }: PlacedNotification) => sortAt ?? doneAt ?? surfacedAt;

/** The newest on top, where what arrives may have to wait. */
export const newestFirst: RowRules<PlacedNotification> = {
  idOf: ({ id }) => id,
  slotOf: ({ slot }) => slot,
  place: (row, before) => ({ ...row, sortAt: sortTime(before ?? row) }),
  compare: (one, other) => sortTime(other) - sortTime(one) || (other.id < one.id ? -1 : 1),
  isAbove: (row, shown) => shown.every((it) => sortTime(it) < sortTime(row)),
};
/** What is snoozed, by when it comes back: what is new belongs anywhere. */
const { isAbove: _, ...anywhere } = newestFirst;
export const oldestFirst: RowRules<PlacedNotification> = {
  ...anywhere,
  compare: (one, other) => sortTime(one) - sortTime(other) || (other.id < one.id ? 1 : -1),
};

/**
 * The rows to show. What arrives goes on top while the owner is at the top and not in the list, else it is held back until
 * they ask for it. What they are reading stays.
 */
export function useFeedRows(notifications: readonly FeedNotification[], rules: RowRules<PlacedNotification>) {
  /** When rows last made way for an arrival; a second one meanwhile would make them jump. */
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const rows = useRows<PlacedNotification>(notifications, rules, () => ({
    stays: ({ id }) => isInUse(id),
    mayMove: mayMove() && performance.now() - movedAt.current > calmMs,
  }));
  const newest = Math.max(0, ...rows.rows.map(sortTime));
  const known = useRef(newest);
  useLayoutEffect(() => {
    if (newest > known.current && known.current > 0) movedAt.current = performance.now();
    known.current = newest;
  }, [newest]);
  return rows;
}

const rowOf = (id: string) => document.querySelector(`[data-row="${id}"]`)?.closest("li");

/** Whether the owner is reading it. */
const isInUse = (id: string) => {
  const row = rowOf(id);
  return !!row && (row.contains(document.activeElement) || row.querySelector("details[data-told][open]") !== null);
};

const calmMs = 500;

/** Whether rows may move under the owner's eyes: at the top, with the focus elsewhere, gliding. */
const mayMove = () => window.scrollY < 40 && !document.activeElement?.closest("[data-slot]") && !isStill();

/** Whether the owner wants nothing to move. */
const isStill = () =>
  window.matchMedia("(prefers-reduced-motion: reduce)").matches ||
  document.documentElement.dataset.motion === "reduced";

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
