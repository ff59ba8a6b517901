"use client";
import { useCallback, useMemo, useRef, useState } from "react";
import { singleKeysAct } from "@/components/keys/single-keys";

/** The last action, shown briefly with its undo. */
export type Toast = {
  key: number;
  words: string;
  /** Its question and app. */
  about?: { _id?: string; question: string; app: { name: string } };
  /** How long it shows and can be undone, in ms. */
  leftMs: number;
  undo?: () => void;
  /** The answer counts only after this time; until then it can be undone, or sent now. */
  commit?: () => void;
  /** Opens the toast's subject. */
  open?: () => void;
};

const shortMs = 6000;

/** Messages for the owner: announced to screen readers (`said`), and shown briefly (`toast`). */
export function useToast() {
  const [said, setSaid] = useState("");
  const [toast, setToast] = useState<Toast>();
  const count = useRef(0);
  // A live region announces repeated words only if something differs.
  const announce = useCallback(
    (words: string) => setSaid((before) => (before === words ? `${words}\u00a0` : words)),
    [],
  );
  const show = useCallback((words: string, more: Partial<Toast> = {}) => {
    count.current++;
    setToast({ leftMs: shortMs, ...more, words, key: count.current });
  }, []);
  const hide = useCallback(
    (key?: number) => setToast((now) => (key === undefined || now?.key === key ? undefined : now)),
    [],
  );
  const notify = useCallback(
    (words: string, undo?: () => void) => {
      announce(undo ? `${words}.${singleKeysAct() ? " Undo: U." : ""}` : words);
      show(words, undo && { undo });
    },
    [announce, show],
  );
  return useMemo(() => ({ said, toast, announce, show, hide, notify }), [said, toast, announce, show, hide, notify]);
}
