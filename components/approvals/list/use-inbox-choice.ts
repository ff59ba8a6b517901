"use client";
import { useEffect, useState } from "react";
import { areAlike } from "@/components/approvals/types";
import { awaitDialog } from "@/components/keys/keys";
import { unlike } from "./rows";
import type { InboxState } from "./use-inbox";

/** The dialog that is open, and the option that an answer to several questions begins with. */
export function useInboxDialogs() {
  const [dialog, setDialog] = useState<"snooze" | "batch">();
  const [forAll, setForAll] = useState<string>();
  useEffect(() => () => awaitDialog(false), []);
  const show = (which?: "snooze" | "batch", optionId?: string) => {
    awaitDialog(which !== undefined);
    setForAll(optionId);
    setDialog(which);
  };
  return { dialog, forAll, show };
}
export type InboxDialogs = ReturnType<typeof useInboxDialogs>;

/** Answers of the open question. With a selection, an option applies to all selected questions. */
export function useInboxChoice(inbox: InboxState, dialogs: InboxDialogs) {
  const [choice, setChoice] = useState<{ id: string; optionId: string }>();
  const { current, news } = inbox;
  const { selected } = inbox.selection;
  const [first] = selected;
  const answerAll = (optionId: string | undefined) => {
    if (!areAlike(selected)) return news.notify(unlike(selected));
    if (first?.options.some(({ id }) => id === optionId)) dialogs.show("batch", optionId);
  };
  return {
    /** The option that is chosen but not sent. */
    chosen: choice?.id === current?._id ? choice?.optionId : undefined,
    answerAll,
    /** Undefined cancels the choice. @returns whether the option is now chosen */
    choose(optionId: string | undefined) {
      if (optionId === undefined) {
        setChoice(undefined);
        return false;
      }
      if (first) answerAll(optionId);
      if (first || !current || !inbox.counts()) return false;
      setChoice({ id: current._id, optionId });
      return true;
    },
    answer(form: FormData) {
      if (!current) return;
      if (!first) inbox.answer(current, form);
      else if (form.has("optionId")) answerAll(String(form.get("optionId")));
      else news.notify("Clear the selection first. A written answer applies to one question");
    },
  };
}
export type InboxChoice = ReturnType<typeof useInboxChoice>;
