"use client";
import { sharedValue } from "@/components/ui/shared-value";

/**
 * How many questions wait, at most 100: the one number behind the title, the favicon, the badge of the installed app and the
 * rail, so that they cannot drift apart.
 */
export const { useNow: useWaiting, set: setWaiting } = sharedValue<number>();

/** As every badge shows it. */
export const shownCount = (count: number): string => (count > 99 ? "99+" : String(count));

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
