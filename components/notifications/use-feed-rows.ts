"use client";
import { useLayoutEffect, useRef } from "react";
import { prefersReducedMotion } from "@/components/triage/reduced-motion";
import type { RowRules } from "@/components/triage/refreshed-rows";
import { useRefreshedRows } from "@/components/triage/use-refreshed-rows";
import type { FeedNotification } from "./feed-notification";

/** A row keeps its first position, even when a newer notification replaces it. */
export type PlacedNotification = FeedNotification & { sortAt?: number };

const sortTime = ({ sortAt, doneAt, surfacedAt }: PlacedNotification) => sortAt ?? doneAt ?? surfacedAt;

/** Rules for most views: newest first. New rows go above the others, and may be held back. */
export const newestFirst: RowRules<PlacedNotification> = {
  idOf: ({ id }) => id,
  slotOf: ({ slot }) => slot,
  place: (row, before) => ({ ...row, sortAt: sortTime(before ?? row) }),
  compare: (a, b) => sortTime(b) - sortTime(a) || (b.id < a.id ? -1 : 1),
  isAbove: (row, shown) => shown.every((it) => sortTime(it) < sortTime(row)),
};
const { isAbove: _, ...anywhere } = newestFirst;
/** Rules for snoozed rows, sorted by the time at which they return. New rows may go anywhere. */
export const oldestFirst: RowRules<PlacedNotification> = {
  ...anywhere,
  compare: (a, b) => sortTime(a) - sortTime(b) || (b.id < a.id ? 1 : -1),
};

/**
 * The rows under their headings, in order. Snoozed rows need no headings.
 * @param today the start of the owner's day, in epoch milliseconds
 */
export function sectionsOf(
  rows: readonly PlacedNotification[],
  today: number,
): { name: string; rows: readonly PlacedNotification[] }[] {
  if (rows[0]?.place === "snoozed") return [{ name: "", rows }];
  const of = (isToday: boolean) => rows.filter((row) => sortTime(row) >= today === isToday);
  return [
    { name: "Today", rows: of(true) },
    { name: "Earlier", rows: of(false) },
  ].filter(({ rows }) => rows.length > 0);
}

/**
 * The rows to display. New rows appear on top if the owner is at the top of the page and the focus
 * is outside the list. Otherwise, they are held back until requested. A row that the owner is using
 * stays.
 */
export function useFeedRows(notifications: readonly FeedNotification[], rules: RowRules<PlacedNotification>) {
  /** When new rows last moved the others, by `performance.now()`. */
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const rows = useRefreshedRows<PlacedNotification>(notifications, rules, () => ({
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

/** Whether the owner is reading this row. */
const isInUse = (id: string) => {
  const row = rowOf(id);
  return !!row && (row.contains(document.activeElement) || row.querySelector("details[data-told][open]") !== null);
};

const calmMs = 500;

/**
 * Whether rows may move. They may at the top of the page, with the focus outside the list and
 * motion allowed.
 */
const mayMove = () => window.scrollY < 40 && !document.activeElement?.closest("[data-slot]") && !prefersReducedMotion();

const glideMs = 180;

/**
 * Animates rows to their new positions, so that the owner sees where they move.
 * @param order changes when positions may change
 */
export function useGlide(order: unknown): React.RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const places = useRef(new Map<string, number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: places are those of the order
  useLayoutEffect(() => {
    const before = places.current;
    const now = new Map<string, number>();
    for (const row of list.current?.querySelectorAll<HTMLElement>("[data-slot]") ?? []) {
      const { slot = "" } = row.dataset;
      now.set(slot, row.offsetTop);
      const from = before.get(slot);
      if (from !== undefined && from !== row.offsetTop && !prefersReducedMotion())
        row.animate(
          { transform: [`translateY(${from - row.offsetTop}px)`, "none"] },
          { duration: glideMs, easing: "ease-out" },
        );
    }
    places.current = now;
  }, [order]);
  return list;
}
