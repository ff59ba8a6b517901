"use client";
import { isReachable, refreshPage } from "@/components/live/connection-and-refresh";
import type { ActionResult } from "@/lib/web/action-result";

/** The messages shown when there is no result. */
export type FailureMessages = { signedOut: string; lost: string };

/**
 * Runs an action, then calls `done` or `failed`. Refreshes the page, unless the owner is signed
 * out.
 */
export async function sendAndRefresh<T>(
  act: () => Promise<ActionResult<T> | undefined>,
  done: (value: T) => void,
  failed: (message: string) => void,
  reasons: FailureMessages,
): Promise<void> {
  try {
    const result = await act();
    if (!result) return failed(reasons.signedOut);
    if (!result.ok) {
      failed(result.message);
      // The item may have changed or expired, and the refreshed page shows this.
      return refreshPage();
    }
    done(result.value as T);
    refreshPage();
  } catch {
    failed(reasons.lost);
    // The server may have run the action although its reply was lost.
    void isReachable().then((there) => there && refreshPage());
  }
}
