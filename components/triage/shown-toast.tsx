"use client";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import { shouldKeepFocus } from "./fallback-focus";
import type { Toast } from "./list-reducer";
import { undoKey } from "./list-shortcuts";
import { useToastLift } from "./use-toast-lift";
import { useToastTimer } from "./use-toast-timer";

export type ShownToastProps = {
  toast: Toast;
  /** The form that undoes the action without scripts, if any. */
  form?: { action: string; fields: React.ReactNode };
  /** The selector of an element at the bottom of the page that the toast must not cover. */
  above?: string;
  /** Whether the page already shows the message elsewhere. */
  isCovered?: boolean;
  onHide: (key: number) => void;
};

/** A toast with its message and buttons. */
export function ShownToast({ toast, form, above, isCovered, onHide }: ShownToastProps) {
  const box = useRef<HTMLDivElement>(null);
  const { over, until, whileUsed } = useToastTimer(box, toast, onHide);
  useToastLift(box, above);
  const { about, undo, commit } = toast;
  const isHeld = commit !== undefined && !over;
  const undoable = Boolean((undo || form) && (!commit || isHeld));
  return (
    <div
      ref={box}
      {...whileUsed}
      data-toast
      hidden={isCovered}
      className="pointer-events-auto flex max-w-xl min-w-0 flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-edge bg-raised py-1.5 pe-1.5 ps-4 shadow-float"
    >
      <div className={`py-1 ${about ? "min-w-0 flex-1" : "min-w-0"}`}>
        <Words toast={toast} isSent={commit !== undefined && over} />
        {about ? (
          <p className="text-xs text-muted sm:flex">
            <span className="block truncate">
              <span className="max-sm:hidden">
                <bdi>{about.app.name}</bdi>:{" "}
              </span>
              <bdi>{about.question}</bdi>
            </span>
            {isHeld ? (
              <span className="shrink-0 sm:ms-2">
                Sends in <Countdown until={until} />
              </span>
            ) : null}
          </p>
        ) : null}
      </div>
      <Buttons {...{ toast, form, onHide, isHeld, undoable }} />
    </div>
  );
}

const Words = ({ toast: { words, about, open }, isSent }: Pick<ShownToastProps, "toast"> & { isSent: boolean }) => (
  <p className={about && !open ? "flex" : ""}>
    {isSent ? <span className="shrink-0 whitespace-pre">Sent: </span> : ""}
    <bdi className={`font-medium ${about && !open ? "truncate" : ""}`}>{words}</bdi>
  </p>
);

type ButtonsProps = Pick<ShownToastProps, "toast" | "form" | "onHide"> & { isHeld: boolean; undoable: boolean };

const Buttons = ({ toast: { key, undo, commit, open }, form, onHide, isHeld, undoable }: ButtonsProps) => (
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
        <Button ref={shouldKeepFocus} type="submit" variant="secondary" size="small" aria-keyshortcuts={undoKey.keys}>
          Undo
        </Button>
      </form>
    ) : null}
    {isHeld ? (
      <Button ref={shouldKeepFocus} variant="quiet" size="small" onClick={commit}>
        Send now
      </Button>
    ) : null}
    {open ? (
      <Button
        ref={shouldKeepFocus}
        size="small"
        onClick={() => {
          onHide(key);
          open();
        }}
      >
        Open question{" "}
      </Button>
    ) : null}
    {undoable ? null : (
      <Button ref={shouldKeepFocus} variant="quiet" size="small" onClick={() => onHide(key)}>
        Close
      </Button>
    )}
  </span>
);
