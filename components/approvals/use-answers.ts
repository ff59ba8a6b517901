"use client";
import { useState } from "react";
import { lookAgain } from "@/components/live/live-state";
import type { Resolution } from "@/lib/approvals/schema";
import { dropDraft } from "./drafts";
import { tooLate } from "./outcome";
import type { Asked, SendAnswer, Sent } from "./types";

/** Answers under way: shown as given in the same frame, taken back with their words when they did not arrive. */
export function useAnswers(send: SendAnswer, say: (words: string) => void, onFailure: (asked: Asked) => void) {
  const [sent, setSent] = useState<ReadonlyMap<string, Sent>>(new Map());
  const note = (it: Sent) => setSent((all) => new Map(all).set(it.asked._id, it));

  /** @returns false where it is answered already, or an answer is under way */
  function answer(asked: Asked, form: FormData): boolean {
    const before = sent.get(asked._id);
    if (asked.resolution || (before && before.state !== "failed")) return false;
    note({ asked, state: "sending", resolution: provisional(form) });
    void deliver(asked, form);
    return true;
  }

  async function deliver(asked: Asked, form: FormData) {
    const fail = (message: string) => {
      note({ asked, state: "failed", message });
      say(`Not answered: ${message}`);
      onFailure(asked);
    };
    try {
      const result = await send(null, form);
      if (!result) return fail("Sign in again, then send it once more. Your words are kept.");
      if (!result.ok) return fail(result.message);
      if (!result.value) return;
      const { won, resolution } = result.value;
      dropDraft(asked._id);
      note({ asked, state: "done", resolution, late: !won });
      if (!won) say(tooLate(asked, resolution));
      lookAgain();
    } catch {
      fail("It did not reach the service. Nothing was lost: check the connection and send it again.");
    }
  }
  return { sent, answer };
}

/** What the answer will be once the service has it; its time is the browser's guess until then. */
function provisional(form: FormData): Resolution {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    ...(form.has("optionId")
      ? { kind: "option" as const, optionId: text("optionId") }
      : { kind: "other" as const, otherText: text("otherText") }),
    ...(text("note").trim() && { note: text("note") }),
    resolvedBy: "owner",
    resolvedAt: Date.now(),
  };
}
