"use client";
import { useCallback, useMemo, useRef, useState } from "react";
import { singleKeysAct } from "@/components/keys/single-keys";

/** What was just done, for a moment: in words, and how to take it back. */
export type Toast = {
  key: number;
  words: string;
  /** What it was done with, and who asked that. */
  about?: { question: string; app: { name: string } };
  /** For how long it shows, and may be taken back. */
  leftMs: number;
  undo?: () => void;
  /** What was done counts only once the time is over; until then it can be taken back, or made to count at once. */
  commit?: () => void;
  /** To what it is about. */
  open?: () => void;
};

const shortMs = 6000;

/** What the page tells its owner: read out by screen readers (`said`), and shown in passing (`toast`). */
export function useToast() {
  const [said, setSaid] = useState("");
  const [toast, setToast] = useState<Toast>();
  const count = useRef(0);
  // The same words again are news only where something differs.
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
