"use client";
import { useEffect, useLayoutEffect, useRef } from "react";
import { prefersReducedMotion } from "@/components/triage/reduced-motion";
import type { RowRules } from "@/components/triage/refreshed-rows";
import { useRefreshedRows } from "@/components/triage/use-refreshed-rows";
import type { FeedNotification } from "./feed-notification";

/**
 * A displayed notification. `sortAt` keeps a row in its place when a newer notification replaces
 * it.
 */
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
 * Returns the rows under their headings, in order. Snoozed rows need no headings.
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
 * Returns the rows to display. New rows appear at the top if rows may move (`mayMove`), at most
 * every `calmMs`, and are otherwise held back until requested. A row that the owner is using stays
 * in the list.
 */
export function useFeedRows(notifications: readonly FeedNotification[], rules: RowRules<PlacedNotification>) {
  /** When new rows last moved the others, as a `performance.now()` value. */
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
  const { held, reveal } = rows;
  // No refresh may follow, so rows that were held back only because others had just moved would
  // stay hidden.
  useEffect(() => {
    if (held.length === 0) return;
    const timer = setTimeout(() => mayMove() && reveal(), calmMs);
    return () => clearTimeout(timer);
  }, [held, reveal]);
  return rows;
}

const rowOf = (id: string) => document.querySelector(`[data-row="${id}"]`)?.closest("li");

/** Whether the owner is reading this row. */
const isInUse = (id: string) => {
  const row = rowOf(id);
  return !!row && (row.contains(document.activeElement) || row.querySelector("details[data-told][open]") !== null);
};

/**
 * The minimum time between movements of rows, in milliseconds. The button for held rows appears
 * later.
 */
const calmMs = 500;

/**
 * Whether rows may move: only if the page is scrolled to the top, the focus is outside the list,
 * and the owner has not asked for reduced motion.
 */
const mayMove = () => window.scrollY < 40 && !document.activeElement?.closest("[data-slot]") && !prefersReducedMotion();

const glideMs = 180;

/**
 * Animates rows to their new positions, so that the owner sees where they move.
 * @param order a value that changes whenever positions may change
 */
export function useGlide(order: unknown): React.RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const places = useRef(new Map<string, number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: positions change only with `order`
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
