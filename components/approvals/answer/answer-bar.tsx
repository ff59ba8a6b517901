"use client";
import { useRef } from "react";
import type { InboxApproval } from "@/components/approvals/types";
import { useConnection } from "@/components/live/live-state";
import { shouldKeepFocus } from "@/components/triage/focus";
import { Notice } from "@/components/ui/notice";
import { useReadGate } from "./read-gate";

type AnswerBarProps = {
  approval: InboxApproval;
  /**
   * Called when an answer is held back until its question is read. Returns false while presses do
   * not count.
   */
  holdBack: () => boolean;
  /** Whether a press came before presses count. */
  tooSoon: boolean;
  /** Whether its height stays fixed while its content changes. */
  steady: boolean;
  children: React.ReactNode;
};

/**
 * The answer controls, within reach, with a hint about unread text. Offline they are disabled
 * with a reason: an answer queued for later could apply to a question that has changed.
 */
export function AnswerBar({ approval, holdBack, tooSoon, steady, children }: AnswerBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const offline = useConnection() === "offline";
  const { left, heldBack, readOn, maySend } = useReadGate(approval, bar, holdBack);
  return (
    <div ref={shouldKeepFocus} className="contents">
      <div
        ref={bar}
        data-bar
        data-offline={offline || undefined}
        onSubmitCapture={(event) => {
          const form = new FormData(event.target as HTMLFormElement, (event.nativeEvent as SubmitEvent).submitter);
          // A question to the app is not an answer.
          if (!offline && (!form.has("seen") || maySend(form.get("optionId")))) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className={`in-reach z-10 -mx-4 gap-2 border-t border-line bg-pane px-4 py-3 sm:-mx-6 sm:bg-bg sm:px-6 data-offline:[&_summary]:cursor-not-allowed data-offline:[&_summary]:opacity-55 ${steady ? "h-[45svh]" : ""}`}
      >
        {tooSoon || heldBack || left ? (
          <div
            className={`${tooSoon ? "absolute bottom-2" : heldBack ? "[position:var(--over)] bottom-(--over-foot) pb-2" : "absolute bottom-full pb-2"} pointer-events-none inset-x-4 flex justify-center *:rounded-2xl *:border *:border-warn *:bg-warn-soft *:px-4 *:py-1.5 *:shadow-float`}
          >
            {tooSoon || heldBack ? (
              <p role="alert" className={tooSoon ? "" : "pointer-events-auto"}>
                <b className="font-semibold">Not sent.</b>{" "}
                {tooSoon ? "This question just opened" : `You haven’t read: ${heldBack}`}. Press again to answer.
              </p>
            ) : (
              <button type="button" onClick={readOn} className="pointer-events-auto">
                Unread: {left}
              </button>
            )}
          </div>
        ) : null}
        <fieldset disabled={offline} className={offline ? "contents" : "arming contents"}>
          {offline ? (
            <Notice tone="warn" title="You are offline">
              You can answer when you’re back online. Your draft is saved.
            </Notice>
          ) : null}
          {children}
        </fieldset>
      </div>
    </div>
  );
}
