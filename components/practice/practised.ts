"use client";
import { useSyncExternalStore } from "react";

const key = "countersign.practised";
const watchers = new Set<() => void>();

/** Whether somebody has practised in this browser. */
export const usePractised = (): boolean => useSyncExternalStore(watch, hasPractised, () => false);

function hasPractised(): boolean {
  try {
    return localStorage.getItem(key) === "yes";
  } catch {
    return false;
  }
}

export function rememberPractice(): void {
  try {
    localStorage.setItem(key, "yes");
  } catch {
    // Storage is full or forbidden: the step stays open, which costs nothing.
  }
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
