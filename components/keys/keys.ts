"use client";
import { useLayoutEffect, useRef } from "react";
import { singleKeysAct } from "./single-keys";

export type KeyBinding = {
  /**
   * The character that the key makes on the owner's keyboard ("j", "U" for Shift and u, "?", "Escape"), "Shift+1" to
   * "Shift+9" for those keys wherever their characters are, "Mod+k" for Ctrl or ⌘, or two in a row ("g a").
   */
  keys: string;
  /** What it does, for the help and the palette. Without it, it shows in neither. That of 1 speaks for all nine digits. */
  says?: string;
  /** Answering false leaves the key to whoever bound it before, and at last to the browser. */
  run: (event: KeyboardEvent) => unknown;
  /** Whether it acts while somebody types or a dialog is open. Only for keys with a modifier. */
  anywhere?: boolean;
};
export type KeyGroup = { name: string; bindings: readonly KeyBinding[] };

/** The heading of what the keys do on every page. */
export const everywhere = "Everywhere";

const groups = new Set<{ current: KeyGroup }>();
/** How long the second of two keys in a row may take. */
const chordMs = 1000;
let begun: { key: string; at: number } | undefined;

let awaiting = false;

/** A dialog was asked for that is not there yet: a key meant for it must not act on what is under it. */
export const awaitDialog = (on: boolean): void => void (awaiting = on);

/** What keys do here and now, group by group in the order in which they came. */
export const boundKeys = (): KeyGroup[] => [...groups].map(({ current }) => current);

/** What says what it does, group by group; groups of the same name as one, what is everywhere last. */
export function named(keys: readonly KeyGroup[]): KeyGroup[] {
  const byName = new Map<string, Map<string, KeyBinding>>();
  for (const { name, bindings } of keys) {
    const group = byName.get(name) ?? new Map();
    for (const binding of bindings) if (binding.says) group.set(binding.keys, binding);
    if (group.size > 0) byName.set(name, group);
  }
  const order = (name: string) => (name === everywhere ? 1 : 0);
  return [...byName]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([name, bindings]) => ({ name, bindings: [...bindings.values()] }));
}

/**
 * Bind keys for as long as the component is there. Single keys are off where somebody types, in a dialog, with a modifier,
 * when a key is held down, and for owners who switched them off; Escape and arrows are on for them too.
 * @param name the heading in the help
 */
export function useKeys(name: string, bindings: readonly KeyBinding[]): void {
  const group = useRef<KeyGroup>({ name, bindings });
  group.current = { name, bindings };
  // Before it is painted: who sees a row may press its key.
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

/** What a key makes. Of a letter, what it makes without Caps Lock: for that nobody means another key. */
function keyOf({ key, shiftKey }: Pressed): string {
  if (!/^\p{L}$/u.test(key)) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

function press(event: KeyboardEvent) {
  if (event.defaultPrevented || event.repeat || event.isComposing || !(event.target instanceof Element)) return;
  const typing = event.target.closest("input, textarea, select, [contenteditable]") !== null;
  const closed = typing || document.querySelector("dialog[open]") !== null;
  // The latest component to bind a key has it.
  const bindings = boundKeys()
    .flatMap((group) => group.bindings)
    .reverse();
  const acts = ({ keys, anywhere }: KeyBinding) => !closed || anywhere || (keys === "Escape" && !inDialog());
  const bound = namesOf(event).flatMap((name) => bindings.filter((it) => it.keys === name && acts(it)));
  const begins = bound.length === 0 && !closed && bindings.some(({ keys }) => keys.startsWith(`${keyOf(event)} `));
  begun = begins ? { key: keyOf(event), at: event.timeStamp } : undefined;
  if (bound.some(({ anywhere, run }) => (awaiting && !anywhere) || run(event) !== false)) event.preventDefault();
}

const inDialog = () => document.querySelector("dialog[open]") !== null;

/** What a press may be bound as. */
export function namesOf(event: Pressed): string[] {
  const { code, ctrlKey, metaKey, altKey, shiftKey, timeStamp } = event;
  const key = keyOf(event);
  if (ctrlKey || metaKey) return altKey || shiftKey ? [] : [`Mod+${key.toLowerCase()}`];
  if (altKey) return [];
  if (key.length > 1) return shiftKey ? [`Shift+${key}`] : [key];
  if (!singleKeysAct()) return [];
  const chord = begun && timeStamp - begun.at < chordMs ? [`${begun.key} ${key}`] : [];
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  // On some keyboards digits need Shift: there the character wins, and Shift+1 cannot be had.
  if (shiftKey && digit && key !== digit) return [`Shift+${digit}`, key];
  return [...chord, key];
}
