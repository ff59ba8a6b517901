"use client";
import { shownCount, useWaiting } from "./waiting";

/** How many questions wait, where the navigation shows it; nothing for none. */
export function WaitingCount({ rendered, className }: { rendered: number; className: string }) {
  const count = useWaiting(rendered);
  return count > 0 ? (
    <span className={className} data-waiting>
      {shownCount(count)}
      <span className="sr-only"> waiting</span>
    </span>
  ) : null;
}
