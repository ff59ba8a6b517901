"use client";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { keepsFocus } from "./keeps-focus";
import type { ToastNote } from "./use-toast";

type ToastProps = {
  toast: ToastNote | undefined;
  onUndo: () => void;
  onSendNow: () => void;
  onHide: (key: number) => void;
};

/**
 * What was just done and how to take it back, at the foot of the list or the head of a phone: never over the answers. It stays while somebody
 * points at it or is in it. What it says is read out elsewhere.
 */
export function Toast({ toast, ...on }: ToastProps) {
  return (
    <section
      aria-label="Just done"
      className="pointer-events-none fixed inset-x-2 top-2 z-30 flex justify-center sm:left-26 lg:top-auto lg:right-auto lg:bottom-2 lg:w-[21rem] xl:left-58 xl:w-[24rem]"
    >
      {toast ? <Note key={toast.key} toast={toast} {...on} /> : null}
    </section>
  );
}

function Note({ toast, onUndo, onSendNow, onHide }: ToastProps & { toast: ToastNote }) {
  const [until] = useState(() => performance.now() + toast.leftMs);
  const [over, setOver] = useState(false);
  const [stays, setStays] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), toast.leftMs);
    return () => clearTimeout(timer);
  }, [toast.leftMs]);
  // Buttons that go with the time to undo take the focus with them, and no event tells of it.
  useEffect(() => {
    if (over) setStays(box.current?.matches(":hover, :focus-within") ?? false);
  }, [over]);
  useEffect(() => {
    if (over && !stays) onHide(toast.key);
  }, [over, stays, toast.key, onHide]);
  const { words, held, undo } = toast;
  const undoable = undo || (held && !over);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is there
    <div
      ref={box}
      onMouseEnter={() => setStays(true)}
      onMouseLeave={() => setStays(false)}
      onFocus={() => setStays(true)}
      onBlur={() => setStays(false)}
      data-toast
      className="pointer-events-auto flex max-w-xl flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-edge bg-raised py-1.5 pr-1.5 pl-4 shadow-float"
    >
      <p className="min-w-0 py-1.5">
        {held && over ? "Sent: " : ""}
        <bdi className="font-medium">{words}</bdi>
        {held && !over ? (
          <span className="text-muted">
            {" · "}
            <Countdown until={until} />
          </span>
        ) : null}
      </p>
      <span className="ml-auto flex gap-1">
        {undoable ? (
          <Button ref={keepsFocus} variant="secondary" size="small" aria-keyshortcuts="u" onClick={onUndo}>
            Undo
          </Button>
        ) : null}
        {held && !over ? (
          <Button ref={keepsFocus} variant="quiet" size="small" onClick={onSendNow}>
            Send now
          </Button>
        ) : null}
        {undoable ? null : (
          <Button ref={keepsFocus} variant="quiet" size="small" onClick={() => onHide(toast.key)}>
            Close
          </Button>
        )}
      </span>
    </div>
  );
}
