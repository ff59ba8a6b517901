"use client";
import { isReachable, refreshPage } from "@/components/live/live-state";

/** What the service says of a form; `undefined` where nobody is signed in any more. */
export type Result<T> = { ok: true; value?: T } | { ok: false; message: string; fields?: Record<string, string> };

/** What the owner reads where there is no result. */
export type FailureMessages = { signedOut: string; lost: string };

/** Have it done, and the page read again; whatever goes wrong becomes a sentence. */
export async function sendAndRefresh<T>(
  act: () => Promise<Result<T> | undefined>,
  done: (value: T) => void,
  failed: (message: string) => void,
  reasons: FailureMessages,
): Promise<void> {
  try {
    const result = await act();
    if (!result) return failed(reasons.signedOut);
    if (!result.ok) {
      failed(result.message);
      // It may have changed, or its time be over: what stands there now is read anew.
      return refreshPage();
    }
    done(result.value as T);
    refreshPage();
  } catch {
    failed(reasons.lost);
    // Only the reply may have been lost: what holds is read.
    void isReachable().then((there) => there && refreshPage());
  }
}
