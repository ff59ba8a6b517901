"use client";
import { createContext, useContext, useLayoutEffect, useSyncExternalStore } from "react";
import type { FormAction } from "@/components/ui/action-form";
import type { Choices } from "@/lib/owners/schema";

type Given = { choices: Choices; save: FormAction };
const Given = createContext<Given | undefined>(undefined);

/** What holds in this browser now: what the server said last, or what the owner has chosen here since. */
let now: Choices | undefined;
const watchers = new Set<() => void>();
let others: BroadcastChannel | undefined;

type OwnersChoicesProps = Given & {
  ownerId: string;
  /** A cookie to set, where this browser's first paint would go by what was chosen before. */
  remember?: string | undefined;
  children: React.ReactNode;
};

/** Has the pages within look and act as the owner chose, here and in this browser's other tabs. */
export function OwnersChoices({ choices, save, ownerId, remember, children }: OwnersChoicesProps) {
  useLayoutEffect(() => hold(choices), [choices]);
  useLayoutEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
    if (remember) document.cookie = remember;
  }, [remember]);
  useLayoutEffect(() => {
    const channel = new BroadcastChannel(`countersign-choices-${ownerId}`);
    channel.onmessage = ({ data }) => hold(data);
    others = channel;
    return () => {
      channel.close();
      others = undefined;
    };
  }, [ownerId]);
  return <Given value={{ choices, save }}>{children}</Given>;
}

/** Have it hold at once in every tab. That it is kept is another matter: see SettingForm. */
export function choose(change: Partial<Choices>): void {
  if (!now) return;
  const all = { ...now, ...change };
  hold(all);
  others?.postMessage(all);
}

function hold(choices: Choices) {
  now = choices;
  const { theme, density, motion } = choices;
  Object.assign(document.documentElement.dataset, { theme, density, motion });
  for (const watcher of watchers) watcher();
}

export const choicesNow = (): Choices | undefined => now;

export function useChoices(): Choices {
  const { choices } = useGiven();
  return useSyncExternalStore(
    watch,
    () => now ?? choices,
    () => choices,
  );
}

/** The action that keeps a setting. */
export const useSave = (): FormAction => useGiven().save;

function useGiven(): Given {
  const given = useContext(Given);
  if (!given) throw new Error("Only within OwnersChoices");
  return given;
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
