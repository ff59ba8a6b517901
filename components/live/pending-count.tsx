"use client";
import { sharedValue } from "@/components/ui/shared-value";

/**
 * The pending count, at most 100: the single value behind the title, the favicon, the installed
 * app's badge and the navigation, so that they always agree.
 */
export const { useNow: useWaiting, set: setWaiting } = sharedValue<number>();

/** The count's text on every badge. */
export const shownCount = (count: number): string => (count > 99 ? "99+" : String(count));

/** The pending count in the navigation; nothing for zero. */
export function WaitingCount({ rendered, className }: { rendered: number; className: string }) {
  const count = useWaiting(rendered);
  return count > 0 ? (
    <span className={className} data-waiting>
      {shownCount(count)}
      <span className="sr-only"> waiting</span>
    </span>
  ) : null;
}
