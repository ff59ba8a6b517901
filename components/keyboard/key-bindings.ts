"use client";
import { useLayoutEffect, useRef } from "react";
import { singleKeysAct } from "./single-key-preference";

export type KeyBinding = {
  /**
   * The character that the key types ("j", "U" for Shift and u, "?", "Escape"). Also "Shift+1" to
   * "Shift+9", "Mod+k" for Ctrl or ⌘, or a sequence of two keys ("g a").
   */
  keys: string;
  /**
   * The key's description in the help and the palette, which list only keys with a description. The
   * description of 1 covers all nine digits.
   */
  description?: string;
  /** Returns false to pass the key to earlier bindings, and finally to the browser. */
  run: (event: KeyboardEvent) => unknown;
  /** Whether the key also acts during typing or in a dialog. Only keys with a modifier can. */
  anywhere?: boolean;
};
export type KeyGroup = { name: string; bindings: readonly KeyBinding[] };

/** The heading for the keys of every page. */
export const everywhere = "Everywhere";

const groups = new Set<{ current: KeyGroup }>();
/** The maximum time between two keys of a sequence, in milliseconds. */
const chordMs = 1000;
let begun: { key: string; at: number } | undefined;

let awaiting = false;

/** Marks a dialog as loading, so that a key press meant for the dialog does not act on the page. */
export const awaitDialog = (on: boolean): void => void (awaiting = on);

/** The current bindings by group, oldest first. */
export const boundKeys = (): KeyGroup[] => [...groups].map(({ current }) => current);

/** The described bindings by group, with groups of the same name merged and Everywhere last. */
export function named(keys: readonly KeyGroup[]): KeyGroup[] {
  const byName = new Map<string, Map<string, KeyBinding>>();
  for (const { name, bindings } of keys) {
    const group = byName.get(name) ?? new Map();
    for (const binding of bindings) if (binding.description) group.set(binding.keys, binding);
    if (group.size > 0) byName.set(name, group);
  }
  const order = (name: string) => (name === everywhere ? 1 : 0);
  return [...byName]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([name, bindings]) => ({ name, bindings: [...bindings.values()] }));
}

/**
 * Binds keys while the component is mounted. Single keys do nothing during typing, in a dialog,
 * with a modifier, or on repeat. Owners can turn single keys off, except for Escape and the arrows.
 * @param name the heading in the help
 */
export function useKeys(name: string, bindings: readonly KeyBinding[]): void {
  const group = useRef<KeyGroup>({ name, bindings });
  group.current = { name, bindings };
  // Runs before painting, so that a control's key works as soon as the control is visible.
  useLayoutEffect(() => {
    if (groups.size === 0) document.addEventListener("keydown", press);
    groups.add(group);
    return () => {
      groups.delete(group);
      if (groups.size === 0) document.removeEventListener("keydown", press);
    };
  }, []);
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "timeStamp">;

/** The character of a key. Caps Lock does not change the case of a letter. */
function keyOf({ key, shiftKey }: Pressed): string {
  if (!/^\p{L}$/u.test(key)) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

function press(event: KeyboardEvent) {
  if (event.defaultPrevented || event.repeat || event.isComposing || !(event.target instanceof Element)) return;
  const typing = event.target.closest("input, textarea, select, [contenteditable]") !== null;
  const closed = typing || document.querySelector("dialog[open]") !== null;
  // The latest binding of a key wins.
  const bindings = boundKeys()
    .flatMap((group) => group.bindings)
    .reverse();
  const acts = ({ keys, anywhere }: KeyBinding) => !closed || anywhere || (keys === "Escape" && !inDialog());
  const bound = namesOf(event).flatMap((name) => bindings.filter((it) => it.keys === name && acts(it)));
  const begins = bound.length === 0 && !closed && bindings.some(({ keys }) => keys.startsWith(`${keyOf(event)} `));
  begun = begins ? { key: keyOf(event), at: event.timeStamp } : undefined;
  // Makes the controls' shortcuts visible to owners who use the keyboard.
  if (bound.length > 0) document.documentElement.dataset.keyed = "";
  if (bound.some(({ anywhere, run }) => (awaiting && !anywhere) || run(event) !== false)) event.preventDefault();
}

const inDialog = () => document.querySelector("dialog[open]") !== null;

/** The names under which a key press may be bound. */
export function namesOf(event: Pressed): string[] {
  const { code, ctrlKey, metaKey, altKey, shiftKey, timeStamp } = event;
  const key = keyOf(event);
  if (ctrlKey || metaKey) return altKey || shiftKey ? [] : [`Mod+${key.toLowerCase()}`];
  if (altKey) return [];
  if (key.length > 1) return shiftKey ? [`Shift+${key}`] : [key];
  if (!singleKeysAct()) return [];
  const chord = begun && timeStamp - begun.at < chordMs ? [`${begun.key} ${key}`] : [];
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  // On some layouts, digits need Shift. There the character takes precedence, and Shift+1 is
  // unavailable.
  if (shiftKey && digit && key !== digit) return [`Shift+${digit}`, key];
  return [...chord, key];
}
