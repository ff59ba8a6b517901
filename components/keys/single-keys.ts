"use client";
import { useSyncExternalStore } from "react";

const setting = "countersign.single-keys";
const watchers = new Set<() => void>();

/** Whether single keys act: they do until the owner switches them off in this browser. */
export const useSingleKeys = (): boolean => useSyncExternalStore(watch, singleKeysAct, () => true);

export const singleKeysAct = (): boolean => localStorage.getItem(setting) !== "off";

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(setting, on ? "on" : "off");
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  window.addEventListener("storage", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", watcher);
  };
}
