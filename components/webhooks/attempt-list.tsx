import { ExactTime } from "@/components/ui/time/exact-time";
import type { Attempt } from "@/lib/webhooks/schema";
import { attemptWords } from "./words";

/** Every attempt to deliver it, the last one first. */
export const AttemptList = ({ tries }: { tries: readonly Attempt[] }) => (
  <ol className="divide-y divide-line">
    {tries.map((attempt) => (
      <li key={attempt.number} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
        <span>
          {attempt.number}. {attemptWords(attempt)}
        </span>
        <span className="text-xs text-muted">
          <ExactTime at={attempt.at} />
        </span>
      </li>
    ))}
  </ol>
);
