"use client";
import { createContext, useContext, useLayoutEffect } from "react";
import { sharedValue } from "@/components/ui/shared-value";
import type { Choices } from "@/lib/owners/schema";

const Given = createContext<Choices | undefined>(undefined);

/** What holds in this browser now: what the server said last, or what the owner has chosen here since. */
const choicesHere = sharedValue<Choices>();
let others: BroadcastChannel | undefined;

type OwnersChoicesProps = {
  choices: Choices;
  ownerId: string;
  /** A cookie to set, where this browser's first paint would go by what was chosen before. */
  remember?: string | undefined;
  children: React.ReactNode;
};

/** Has the pages within look and act as the owner chose, here and in this browser's other tabs. */
export function OwnersChoices({ choices, ownerId, remember, children }: OwnersChoicesProps) {
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
  return <Given value={choices}>{children}</Given>;
}

/** Have it hold at once in every tab. That it is kept is another matter: see SettingForm. */
export function choose(change: Partial<Choices>): void {
  const now = choicesHere.now();
  if (!now) return;
  const all = { ...now, ...change };
  hold(all);
  others?.postMessage(all);
}

function hold(choices: Choices) {
  const { theme, density, motion } = choices;
  Object.assign(document.documentElement.dataset, { theme, density, motion });
  choicesHere.set(choices);
}

export const choicesNow = choicesHere.now;

export function useChoices(): Choices {
  const choices = useContext(Given);
  if (!choices) throw new Error("Only within OwnersChoices");
  return choicesHere.useNow(choices);
}
