"use client";
import { useEffect, useRef } from "react";
import { useFlash } from "@/components/actions/flash-context";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { useSectionKeys, useShortcut } from "@/components/keyboard/use-shortcut";
import type { ApprovalOption } from "@/lib/approvals/content/option-schema";
import { readDraft } from "./drafts";
import { isInDecision, openAndFocus } from "./focus-and-key-targets";

type FormRef = React.RefObject<HTMLFormElement | null>;

/**
 * Returns the selected option that is not sent yet, its note, and why an answer failed. Without
 * scripts, these values come from the result of the previous form.
 */
export function useChosenOption({ _id: id, options }: InboxApproval, chosen: string | undefined) {
  const said = useFlash("approval.answer", id);
  const asksAgain = said?.ok && said.value && "chosen" in said.value ? said.value : undefined;
  return {
    picked: options.find((option) => option.id === (chosen ?? asksAgain?.chosen)),
    note: asksAgain?.note,
    failure: said && !said.ok ? said.message : undefined,
  };
}

/**
 * Makes Enter send the chosen option.
 * @returns the attributes of the send button
 */
export const useSendKey = (id: string, picked: ApprovalOption | undefined) =>
  useShortcut<HTMLButtonElement>(picked ? { shortcut: "Enter" } : {}, (button) => {
    const on = document.activeElement?.closest("button, a, summary");
    // Enter activates a focused link or button instead, except the open question's row. That row
    // has the focus after each answer, and Enter would only reopen its question.
    if (on && !on.matches(`[data-row="${id}"]`)) return false;
    button.form?.requestSubmit(button);
  });

type Choosing = { found: ApprovalOption[]; onChoose: (optionId: string) => boolean; form: FormRef };

/**
 * Binds Shift and a digit to choose that option and focus the note, and the right arrow to focus
 * the options.
 * @returns a ref for the section with the note
 */
export function useChoosingKeys({ found, onChoose, form }: Choosing) {
  const noteFold = useRef<HTMLDetailsElement>(null);
  useSectionKeys([
    ...found.slice(0, 9).map((option, place) => ({
      keys: `Shift+${place + 1}`,
      ...(place === 0 && { description: "Choose an option and add a note" }),
      run: () => onChoose(option.id) && openAndFocus(noteFold.current),
    })),
    {
      keys: "ArrowRight",
      run: (event) =>
        isInDecision(event) ? false : form.current?.querySelector<HTMLElement>("[name=optionId]")?.focus(),
    },
  ]);
  return noteFold;
}

/** Restores the drafts saved in this tab to their fields. */
export function useDraft(form: FormRef, id: string) {
  useEffect(() => {
    const fields = form.current?.querySelectorAll("textarea") ?? [];
    const draft = readDraft(id);
    for (const field of fields) {
      const kept = draft[field.name];
      if (!kept) continue;
      field.value = kept;
      field.closest("details")?.setAttribute("open", "");
    }
  }, [id, form]);
}
