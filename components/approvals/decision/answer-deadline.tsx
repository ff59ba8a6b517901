"use client";
import { ExactTime } from "@/components/ui/time/time-ago";
import { useTimeLeft } from "@/components/ui/time/use-time-left";
import { useHydrated } from "@/components/ui/use-hydrated";

const minute = 60_000;

/**
 * The deadline for an answer and, in the last hour, the time left. Not a live region, so it never
 * interrupts screen readers.
 */
export function AnswerDeadline({ at }: { at: number }) {
  const alive = useHydrated();
  const left = useTimeLeft(at);
  return (
    <span className="font-medium text-warn">
      answer by <ExactTime at={at} />
      {alive && left < 60 * minute ? <span className="tabular-nums"> · {inWords(left)}</span> : null}
    </span>
  );
}

/**
 * The time left, as text. When no time is left, it is "now", because the server may still accept an
 * answer.
 */
const inWords = (left: number) =>
  left <= 0 ? "now" : `${left < minute ? `${Math.ceil(left / 1000)} s` : `${Math.floor(left / minute)} min`} left`;
