"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useSaid } from "@/components/acts/said";
import { sendAct } from "@/components/acts/send";
import type { Choices, Settings } from "@/lib/owners/schema";
import type { ActionResult } from "@/lib/web/refusal";
import { choicesNow, choose } from "./choices";

/** What a form of one setting shows: its values as the form sends them, and how keeping them went. */
export type Setting = {
  values: readonly string[];
  /** `signIn` is where to show once more who one is, when that is all that is missing. */
  said: { tone: "ok" | "danger" | "muted"; words: string; signIn?: string | undefined } | undefined;
  change: (values: string[]) => void;
};

/**
 * One setting that is kept as soon as it is changed. It shows and holds at once; where it cannot be kept, the value there
 * was comes back and the reason is said.
 * @param saved what the server says is kept, as the form sends it
 */
export function useSetting(setting: keyof Settings, saved: readonly string[]): Setting {
  const router = useRouter();
  const posted = useSaid("setting.change", setting);
  const [known, setKnown] = useState(saved);
  const [values, setValues] = useState(saved);
  const [said, say] = useState<Setting["said"]>();
  const turn = useRef(0);
  const kept = useRef(saved);
  const shown = useRef(values);
  const saving = said?.tone === "muted";

  // It was changed elsewhere. While it is being kept, `saved` may be our own wish: see `choose`.
  if (known.join() !== saved.join() && !saving) {
    setKnown(saved);
    setValues(saved);
  }
  useEffect(() => {
    kept.current = known;
  }, [known]);
  useEffect(() => {
    shown.current = values;
  }, [values]);
  useEffect(() => {
    if (said?.tone !== "ok") return;
    const timer = setTimeout(() => say(undefined), 4000);
    return () => clearTimeout(timer);
  }, [said]);

  async function change(next: string[]) {
    if (next.join() === shown.current.join()) return;
    const mine = ++turn.current;
    setValues(next);
    apply(setting, next);
    say({ tone: "muted", words: "Saving…" });
    const form = new URLSearchParams([["setting", setting], ...next.map((value) => ["value", value])]);
    const result = await save(form).catch(() => ({ ok: false as const, message: "the service did not answer" }));
    if (result?.ok) kept.current = next;
    if (mine !== turn.current) return;
    if (result?.ok) {
      say({ tone: "ok", words: "Saved" });
      router.refresh();
      return;
    }
    setValues(kept.current);
    apply(setting, kept.current);
    say(notSaved(result));
  }
  // Where there are no scripts, the page that the form led to says it.
  const answer: Setting["said"] = posted ? (posted.ok ? { tone: "ok", words: "Saved" } : notSaved(posted)) : undefined;
  return { values, said: said ?? answer, change: (next) => void change(next) };
}

let before: Promise<unknown> = Promise.resolve();

/** One after the other, as they were chosen: of two at once the first could arrive last. */
function save(form: URLSearchParams) {
  const reply = before.then(() => sendAct("setting.change", form));
  before = reply.catch(() => {});
  return reply;
}

const notSaved = (result: Exclude<ActionResult, { ok: true }> | undefined): Setting["said"] => ({
  tone: "danger",
  words: `Not saved: ${result?.message ?? "sign in again"}`,
  signIn: result?.signIn,
});

/** What pages go by themselves by holds before the server has heard of it. */
function apply(setting: keyof Settings, [value = ""]: readonly string[]) {
  if (setting === "singleKeys") choose({ singleKeys: value === "on" });
  else if (setting in (choicesNow() ?? {})) choose({ [setting]: value } as Partial<Choices>);
}
