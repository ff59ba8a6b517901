"use client";
import { useEffect, useRef, useState } from "react";
import { ActionForm } from "@/components/actions/action-form";
import { addressOf, answerLine, type InboxApproval, receiptOf, shortHash } from "@/components/approvals/inbox-approval";
import { namesOf } from "@/components/keyboard/key-bindings";
import { undoKey } from "@/components/triage/list-shortcuts";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { timeOfDay } from "@/components/ui/time/time-text";
import type { Resolution } from "@/lib/approvals/schema";
import { Seal } from "./seal-icon";

export type SignedProps = {
  approval: InboxApproval;
  resolution: Resolution;
  /** When the time to undo ends, by `performance.now()`. */
  until: number | undefined;
  /** Whether the server is still checking the picked number. */
  checking: boolean;
  next: InboxApproval | undefined;
  onNext: () => void;
  onClose: () => void;
};

/** The signed answer, with the only visible undo button and the link to the next question. */
export function Signed({ approval, resolution, until, checking, next, onNext, onClose }: SignedProps) {
  const { _id: id, app, contentHash } = approval;
  const formats = useFormats();
  const title = useRef<HTMLHeadingElement>(null);
  const [ended, end] = useState<number>();
  const isHeld = until !== undefined && ended !== until && until > performance.now();
  const undo = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the check ends with a new heading
  useEffect(() => title.current?.focus(), [checking]);
  // The page's shortcuts are off while a dialog is open, so the dialog handles its undo keys.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.repeat && namesOf(event).some((name) => name === undoKey.keys || name === "Mod+z"))
        undo.current?.click();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  if (checking)
    return (
      <h2 ref={title} id="signing" tabIndex={-1} className="py-8 text-center text-lg outline-none">
        Checking the number…
      </h2>
    );
  return (
    <div className="grid grid-cols-1 justify-items-center gap-4 text-center">
      <Seal signed />
      <div className="w-full">
        <h2 ref={title} id="signing" tabIndex={-1} className="text-lg outline-none">
          Signed
        </h2>
        <p id="signing-facts" className="line-clamp-3 text-muted">
          <bdi>{answerLine(approval, resolution)}</bdi> · <bdi>{app.name}</bdi> ·{" "}
          {timeOfDay(resolution.resolvedAt, formats)}
        </p>
      </div>
      <a
        href={receiptOf(id)}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-lg bg-fill px-3.5 hover:text-ink forced-colors:border"
      >
        <span className="text-muted underline underline-offset-3">Receipt</span>
        <span className="mono">{shortHash(contentHash)}</span>
      </a>
      {isHeld ? (
        <ActionForm act="approval.undo" fields={{ ids: id }} className="w-full">
          <Button type="submit" size="wide" ref={undo} aria-keyshortcuts={undoKey.keys}>
            Undo
            <span className="font-normal text-muted">
              <Countdown until={until} onEnd={() => end(until)} />
            </span>
          </Button>
        </ActionForm>
      ) : null}
      {next ? (
        <a
          href={addressOf(next._id)}
          onClick={(event) => {
            event.preventDefault();
            onNext();
          }}
          className="inline-flex min-h-11 max-w-full items-center gap-1 px-2 text-muted hover:text-ink"
        >
          <span className="shrink-0">Next:</span>
          <bdi className="truncate underline underline-offset-3">{next.question}</bdi>
        </a>
      ) : (
        <Button variant="quiet" onClick={onClose}>
          Done
        </Button>
      )}
    </div>
  );
}
