"use client";
import { useEffect } from "react";
import { areAlike, type InboxApproval } from "@/components/approvals/inbox-approval";
import { awaitDialog } from "@/components/keyboard/key-bindings";
import type { ListStore } from "@/components/triage/use-list-store";

/** Manages the open dialog. Shortcuts wait until the dialog has loaded. */
export function useDialogs({ state: { dialog }, dispatch }: ListStore) {
  useEffect(() => {
    if (!dialog) awaitDialog(false);
  }, [dialog]);
  useEffect(() => () => awaitDialog(false), []);
  return {
    dialog,
    ask(name?: "snooze" | "batch", option?: string) {
      awaitDialog(name !== undefined);
      dispatch({ type: "asked", dialog: name && { name, option } });
    },
  };
}

/** Returns why the selected questions cannot be answered together. */
export const unlike = (selected: readonly InboxApproval[]): string =>
  selected.some(({ risk }) => risk === "high")
    ? "Answer high-risk questions one at a time"
    : selected.some(({ fields }) => fields)
      ? "Answer questions with fields one at a time"
      : "Select only one app’s questions with the same options";

type Choice = {
  current: InboxApproval | undefined;
  selected: InboxApproval[];
  counts: () => boolean;
  notify: (words: string) => void;
  ask: (name: "batch", option?: string) => void;
  answer: (approval: InboxApproval, form: FormData) => void;
};

/**
 * Returns the actions that answer the open question. If questions are selected, an option applies
 * to all of them.
 */
export function choiceOf({ state, dispatch }: ListStore, { current, selected, counts, notify, ask, answer }: Choice) {
  const [first] = selected;
  const answerAll = (option: string | undefined) => {
    if (!areAlike(selected)) return notify(unlike(selected));
    if (first?.options.some(({ id }) => id === option)) ask("batch", option);
  };
  return {
    /** The option that is selected but not sent yet. */
    chosen: state.chosen?.id === current?._id ? state.chosen?.option : undefined,
    answerAll,
    /**
     * Selects an option. Passing undefined cancels the selection.
     * @returns whether the option is now selected
     */
    choose(option: string | undefined) {
      if (option === undefined) {
        if (current) dispatch({ type: "chose", id: current._id });
        return false;
      }
      if (first) answerAll(option);
      if (first || !current || !counts()) return false;
      dispatch({ type: "chose", id: current._id, option });
      return true;
    },
    answer(form: FormData) {
      if (!current) return;
      if (!first) answer(current, form);
      else if (form.has("optionId")) answerAll(String(form.get("optionId")));
      else notify("To write an answer, clear the selection");
    },
  };
}

/** The maximum number of selected questions. */
export const maxSelected = 1000;

/**
 * Returns the label of the command that selects every question.
 * @param shown the count in the reader's number format
 */
export const selectAllWords = (count: number, shown: string) =>
  `Select ${count >= maxSelected ? "the first" : "all"} ${shown}`;
