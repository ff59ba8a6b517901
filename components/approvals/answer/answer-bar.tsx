"use client";
import { useRef } from "react";
import type { InboxApproval } from "@/components/approvals/types";
import { useConnection } from "@/components/live/live-state";
import { shouldKeepFocus } from "@/components/triage/focus";
import { Notice } from "@/components/ui/notice";
import { useReadGate } from "./read-gate";

type AnswerBarProps = {
  approval: InboxApproval;
  /** An answer is held back, so that what it would be given to is seen first. False where presses do not count yet. */
  holdBack: () => boolean;
  /** Whether it was pressed before presses count. */
  tooSoon: boolean;
  /** Whether its height stays as it is while what is in it changes. */
  steady: boolean;
  children: React.ReactNode;
};

/**
 * Where one answers: within reach, and over what has not been seen says so. Without a connection it shows, says why not, and
 * does nothing: an answer that was kept and sent later would be one to a question that may have changed.
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
          // A question to the app is no answer.
          if (!offline && (!form.has("seen") || maySend(form.get("optionId")))) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className={`in-reach z-10 -mx-4 gap-2 border-t border-line bg-surface px-4 py-3 sm:-mx-6 sm:bg-bg sm:px-6 data-offline:[&_summary]:cursor-not-allowed data-offline:[&_summary]:opacity-55 ${steady ? "h-[45svh]" : ""}`}
      >
        {tooSoon || heldBack || left ? (
          <div
            className={`${tooSoon ? "absolute bottom-2" : heldBack ? "[position:var(--over)] bottom-(--over-foot) pb-2" : "absolute bottom-full pb-2"} pointer-events-none inset-x-4 flex justify-center *:rounded-2xl *:border *:border-warn *:bg-warn-soft *:px-4 *:py-1.5 *:shadow-float`}
          >
            {tooSoon || heldBack ? (
              <p role="alert" className={tooSoon ? "" : "pointer-events-auto"}>
                <b className="font-semibold">Not sent.</b>{" "}
                {tooSoon ? "This question has only just opened" : `There was more to see: ${heldBack}`}. Press again to
                answer.
              </p>
            ) : (
              <button type="button" onClick={readOn} className="pointer-events-auto">
                More to see: {left}
              </button>
            )}
          </div>
        ) : null}
        <fieldset disabled={offline} className={offline ? "contents" : "arming contents"}>
          {offline ? (
            <Notice tone="warn" title="You are offline">
              You can answer when you are back. What you have typed is kept.
            </Notice>
          ) : null}
          {children}
        </fieldset>
      </div>
    </div>
  );
}
