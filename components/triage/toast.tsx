"use client";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import { keepsFocus } from "./focus";
import { undoKey } from "./list-keys";
import type { Toast as Note } from "./use-news";

type ToastProps = {
  toast: Note | undefined;
  /** Where it stands, as classes. */
  place: string;
  /** The form that takes it back without scripts, where there is one. */
  form?: { action: string; fields: React.ReactNode };
  onHide: (key: number) => void;
};

/**
 * What was just done and how to take it back, at the foot of the list or the head of a phone: never over the answers. It stays while somebody
 * points at it or is in it. What it says is read out elsewhere.
 */
export function Toast({ toast, place, ...rest }: ToastProps) {
  return (
    <section aria-label="Just done" className={`pointer-events-none fixed inset-x-2 z-30 flex justify-center ${place}`}>
      {toast ? <Shown key={toast.key} toast={toast} {...rest} /> : null}
    </section>
  );
}

function Shown({ toast, form, onHide }: Omit<ToastProps, "place"> & { toast: Note }) {
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
  const { words, undo, commit } = toast;
  const isHeld = commit !== undefined && !over;
  const undoable = (undo || form) && (!commit || isHeld);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is there
    <div
      ref={box}
      onMouseEnter={() => setStays(true)}
      onMouseLeave={() => setStays(false)}
      onFocus={() => setStays(true)}
      onBlur={() => setStays(false)}
      data-toast
      className="pointer-events-auto flex max-w-xl flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-edge bg-raised py-1.5 pe-1.5 ps-4 shadow-float"
    >
      <p className="min-w-0 py-1.5">
        {commit && over ? "Sent: " : ""}
        <bdi className="font-medium">{words}</bdi>
        {isHeld ? (
          <span className="text-muted">
            {" · "}
            <Countdown until={until} />
          </span>
        ) : null}
      </p>
      <span className="ms-auto flex gap-1">
        {undoable ? (
          <form
            method="post"
            action={form?.action}
            onSubmit={(event) => {
              if (!undo) return;
              event.preventDefault();
              undo();
            }}
          >
            {form?.fields}
            <Button ref={keepsFocus} type="submit" variant="secondary" size="small" aria-keyshortcuts={undoKey.keys}>
              Undo
            </Button>
          </form>
        ) : null}
        {isHeld ? (
          <Button ref={keepsFocus} variant="quiet" size="small" onClick={commit}>
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
