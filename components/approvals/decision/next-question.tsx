"use client";
import { useEffect, useEffectEvent, useState } from "react";
import { addressOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { buttonClass } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";

/** How long an answer stays on screen before the page advances, in milliseconds. */
const staysMs = 5_000;

type NextQuestionProps = {
  next: InboxApproval;
  /** Whether the page advances automatically if the owner does nothing. */
  leaves: boolean;
  onNext: () => void;
};

/** The link to the next question. */
export function NextQuestion({ next, leaves, onNext }: NextQuestionProps) {
  const until = useLeaving(leaves, onNext);
  return (
    <div className="flex shrink-0 items-center gap-3">
      <p className="min-w-0 grow truncate text-xs text-muted">
        <bdi>{next.question}</bdi>
      </p>
      {until === undefined ? null : (
        <p className="shrink-0 text-xs text-muted">
          Opens in <Countdown until={until} />
        </p>
      )}
      <a
        ref={shouldKeepFocus}
        href={addressOf(next._id)}
        aria-label={`Next question: ${next.question}`}
        onClick={(event) => {
          event.preventDefault();
          onNext();
        }}
        className={`${buttonClass({ size: "small" })} shrink-0`}
      >
        Next
      </a>
    </div>
  );
}

/**
 * Advances the page after `staysMs`, unless the owner does something first.
 * @returns the time, on the `performance.now()` clock, at which the page will advance; undefined if
 * it will not
 */
function useLeaving(leaves: boolean, onLeave: () => void): number | undefined {
  const [until, setUntil] = useState<number>();
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!leaves) return;
    setUntil(performance.now() + staysMs);
    const stop = new AbortController();
    const stay = () => {
      clearTimeout(timer);
      stop.abort();
      setUntil(undefined);
    };
    const timer = setTimeout(() => leave(), staysMs);
    const on = { capture: true, signal: stop.signal };
    for (const type of ["pointerdown", "wheel"]) document.addEventListener(type, stay, on);
    document.addEventListener("keydown", (event) => event.repeat || stay(), on);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [leaves]);
  return until;
}
