"use client";
import { useRef } from "react";
import { Dock } from "@/components/approvals/decision/decision-frame";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { useConnection } from "@/components/live/connection-and-refresh";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { Notice } from "@/components/ui/notice";
import { useReadGate } from "./require-reading";

type AnswerBarProps = {
  approval: InboxApproval;
  /**
   * Called when an answer is blocked because text is unread. Returns false if the press came too
   * soon after the question appeared, and so doesn't count.
   */
  holdBack: () => boolean;
  /** Whether the last press came too soon after the question appeared. */
  tooSoon: boolean;
  /** Whether the bar's height stays fixed while its content changes. */
  steady: boolean;
  children: React.ReactNode;
};

/**
 * The answer controls at the bottom of the page, with a hint about unread text. Offline, nothing is
 * sent, because a queued answer could apply to a question that has changed.
 */
export function AnswerBar({ approval, holdBack, tooSoon, steady, children }: AnswerBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const offline = useConnection() === "offline";
  const { left, heldBack, readOn, maySend } = useReadGate(approval, bar, holdBack);
  return (
    <div ref={shouldKeepFocus} className="contents">
      <Dock
        ref={bar}
        steady={steady}
        data-offline={offline || undefined}
        onSubmitCapture={(event) => {
          const form = new FormData(event.target as HTMLFormElement, (event.nativeEvent as SubmitEvent).submitter);
          // Only answers contain `seen`. A question to the app needs no reading first.
          if (!offline && (!form.has("seen") || maySend(form.get("optionId")))) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {tooSoon || heldBack ? (
          <div
            className={`${tooSoon ? "absolute bottom-2" : "[position:var(--over)] bottom-(--over-foot) pb-2"} pointer-events-none inset-x-4 z-10 flex justify-center`}
          >
            <p role="alert" className="pointer-events-auto rounded-2xl bg-ink px-4 py-1.5 text-on-ink shadow-float">
              {tooSoon
                ? "This question just opened. Press again to answer."
                : `${heldBack} Press again to answer anyway.`}
            </p>
          </div>
        ) : left ? (
          <div className="pointer-events-none absolute inset-x-0 bottom-full flex justify-center bg-linear-to-t from-bg from-60% to-transparent px-6 pt-7 sm:justify-start">
            <button
              type="button"
              onClick={readOn}
              className="pointer-events-auto inline-flex min-h-10 items-center font-medium hover:underline"
            >
              {left} ↓
            </button>
          </div>
        ) : null}
        <fieldset disabled={offline} className={offline ? "contents" : "arming contents"}>
          {offline ? (
            <Notice tone="warn">You’re offline. Your draft is saved. Answer when you’re back online.</Notice>
          ) : null}
          {children}
        </fieldset>
      </Dock>
    </div>
  );
}
