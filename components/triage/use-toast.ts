"use client";
import { useCallback, useRef, useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";

/** What was just done, for a moment: in words, and how to take it back. */
export type ToastNote = {
  key: number;
  words: string;
  /** For how long it shows, and may be taken back. */
  leftMs: number;
  undo?: () => void;
  /** The questions that were just answered, whose answers are being held. */
  held?: InboxApproval[];
};

const shortMs = 6000;

export function useToast() {
  const [toast, setToast] = useState<ToastNote>();
  const count = useRef(0);
  const show = useCallback((words: string, more: Partial<ToastNote> = {}) => {
    count.current++;
    setToast({ leftMs: shortMs, ...more, words, key: count.current });
  }, []);
  const hide = useCallback(
    (key?: number) => setToast((now) => (key === undefined || now?.key === key ? undefined : now)),
    [],
  );
  return { toast, show, hide };
}
