"use client";
import { createContext, useContext, useLayoutEffect } from "react";
import { sharedValue } from "@/components/ui/shared-value";
import type { Choices } from "@/lib/owners/schema";

const Given = createContext<Choices | undefined>(undefined);

/** The current preferences: the server's last values, or newer values selected in this browser. */
const choicesHere = sharedValue<Choices>();
let others: BroadcastChannel | undefined;

type PreferencesProviderProps = {
  choices: Choices;
  ownerId: string;
  /** The cookie that gives the server the values for the first paint, if they changed. */
  remember?: string | undefined;
  children: React.ReactNode;
};

/** Applies the owner's preferences to the pages within, in every tab of this browser. */
export function PreferencesProvider({ choices, ownerId, remember, children }: PreferencesProviderProps) {
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

/** Applies a value in every tab immediately. SettingForm saves the value. */
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
  if (!choices) throw new Error("Only within PreferencesProvider");
  return choicesHere.useNow(choices);
}
