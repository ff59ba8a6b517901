"use client";
import { useState } from "react";
import { actionUrl } from "@/components/actions/send-action";
import { Toast } from "@/components/triage/toast";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { plural } from "@/lib/text/plural";
import type { Step, Undo } from "./feed-notification";

type NewRowsProps = { count: number; isSelecting: boolean; onReveal: () => void };

/**
 * The button that shows new rows. It overlays the rows, so that nothing moves, and becomes visible
 * only if the rows do not appear by themselves.
 */
export const NewRows = ({ count, isSelecting, onReveal }: NewRowsProps) => (
  <div className={`pointer-events-none sticky top-2 z-10 flex h-0 ${isSelecting ? "justify-end" : "justify-center"}`}>
    {count > 0 ? (
      <span className="transition-opacity delay-600 starting:opacity-0">
        <Button variant="primary" className="pointer-events-auto rounded-full shadow-float" onClick={onReveal}>
          {count} new
          <span className="sr-only">
            : show {plural(count, { one: "the notification", other: "the notifications" })}
          </span>
        </Button>
      </span>
    ) : null}
  </div>
);

/** Why an action was not saved. */
export const NotSaved = ({ why, again }: { why: string; again: (() => void) | undefined }) => (
  <div className="mb-3">
    <Notice tone="danger" title="Couldn’t save your change">
      <p>{why}</p>
      {again ? (
        <Button size="small" className="mt-2" onClick={again}>
          Try again
        </Button>
      ) : null}
    </Notice>
  </div>
);

/** How long the undo button shows, in milliseconds. Its shortcut works longer. */
const undoShowsMs = 10_000;

type UndoToastProps = {
  /** The latest action, from this page or from a form without scripts. */
  step: (Step & { key: number }) | undefined;
  /** Undoes the action. Undefined without scripts. */
  undo: (() => void) | undefined;
};

export function UndoToast({ step, undo }: UndoToastProps) {
  const [hidden, hide] = useState<number>();
  return (
    <Toast
      toast={
        step && step.key !== hidden
          ? { key: step.key, words: step.words, leftMs: undoShowsMs, ...(undo && { undo }) }
          : undefined
      }
      place="bottom-[calc(4.5rem+env(safe-area-inset-bottom))] sm:bottom-6 sm:ps-22"
      {...(step && {
        form: { action: actionUrl(`notification.${step.undo.act}`), fields: <UndoFields undo={step.undo} /> },
      })}
      onHide={hide}
    />
  );
}

/** The hidden fields of the undo form that works without scripts. */
const UndoFields = ({ undo: { ids, at } }: { undo: Undo }) => (
  <>
    {ids.map((id) => (
      <input key={id} type="hidden" name="ids" value={id} />
    ))}
    {at.map((time, place) => (
      <input key={ids[place] ?? time} type="hidden" name="at" value={time} />
    ))}
  </>
);
