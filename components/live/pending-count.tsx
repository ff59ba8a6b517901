"use client";
import { useLayoutEffect } from "react";
import { sharedValue } from "@/components/ui/shared-value";

/** The server's count, at most 100. */
const counted = sharedValue<number>();
export const { set: setWaiting } = counted;
/** The count in the open inbox, after the owner's last actions. */
const inInbox = sharedValue<number | undefined>();
const max = 100;

/**
 * The pending count, at most 100. The title, the favicon, the installed app's badge, the navigation
 * and the open inbox all use this value, so they always agree.
 */
export function useWaiting(rendered: number): number {
  const known = counted.useNow(rendered);
  return Math.min(max, inInbox.useNow(undefined) ?? known);
}

/**
 * Keeps the count and the open inbox consistent. While the owner's last actions differ from the
 * server's count, every place shows the inbox's count. Otherwise, the inbox shows the server's
 * count.
 * @param changed whether the counts differ
 * @returns the count to show in the inbox
 */
export function useInboxCount(count: number, changed: boolean): number {
  const known = useWaiting(count);
  const mine = changed ? count : undefined;
  useLayoutEffect(() => {
    inInbox.set(mine);
    return () => inInbox.set(undefined);
  }, [mine]);
  return changed || known === max ? count : known;
}

/**
 * Forgets the inbox's own count. A hidden page is not refreshed, so the badges must show the
 * server's newer count.
 */
export const forgetInboxCount = (): void => inInbox.set(undefined);

/** The count's text on every badge. */
export const shownCount = (count: number): string => (count > 99 ? "99+" : String(count));

/** The pending count in the navigation. Empty for zero. */
export function WaitingCount({ rendered, className }: { rendered: number; className: string }) {
  const count = useWaiting(rendered);
  return count > 0 ? (
    <span className={className} data-waiting>
      {shownCount(count)}
      <span className="sr-only"> waiting</span>
    </span>
  ) : null;
}
