"use client";
import { useEffect, useState } from "react";
import { useAction } from "@/components/actions/use-action";
import { KeyButton } from "@/components/keyboard/use-shortcut";
import { refreshPage } from "@/components/live/connection-and-refresh";
import type { LinkedAccount } from "@/lib/integrations/accounts";

type TestNowProps = {
  account: Pick<LinkedAccount, "id" | "status" | "failing" | "checkedAt">;
  /** The position of the result relative to the button: before it by default. */
  position?: "before" | "after";
};

/** How often to refresh the page during a slow check, in milliseconds. */
const lookMs = 2_000;
const timeoutMs = 60_000;

const found: Record<LinkedAccount["status"], string> = {
  connected: "Working. The provider accepted our credentials.",
  needs_reauth: "Not working. Reconnect the account.",
  error: "We couldn’t check this account just now. We’ll keep trying.",
  disconnected: "This account was removed.",
};

/**
 * The result of a check, as text. `failing` is true after a first failure, which doesn't yet change
 * the status.
 */
const outcome = (status: LinkedAccount["status"], failing: boolean) =>
  found[status === "connected" && failing ? "error" : status];

/**
 * Checks an account with its provider, and shows the result. A slow provider's result appears
 * later.
 */
export function TestConnection({ account, position = "before" }: TestNowProps) {
  const { result, pending, to } = useAction("integration.test", account.id);
  const [gaveUp, giveUp] = useState(false);
  const tested = result?.ok ? result.value : undefined;
  const waiting = !pending && tested?.waiting === true && account.checkedAt === tested.checkedAt;
  useEffect(() => {
    if (!waiting) return;
    const looks = setInterval(refreshPage, lookMs);
    const timeout = setTimeout(() => {
      clearInterval(looks);
      giveUp(true);
    }, timeoutMs);
    return () => {
      clearInterval(looks);
      clearTimeout(timeout);
    };
  }, [waiting]);
  const message = pending
    ? "Checking with the provider…"
    : result?.ok === false
      ? result.message
      : waiting
        ? gaveUp
          ? "Still waiting for the provider. The result will appear here."
          : "Still checking. The result will appear here."
        : tested
          ? outcome(tested.waiting ? account.status : tested.status, account.failing)
          : "";
  return (
    <form
      {...to}
      onSubmit={(event) => {
        if (pending) return event.preventDefault();
        giveUp(false);
        to.onSubmit(event);
      }}
      className="contents"
    >
      <input type="hidden" name="id" value={account.id} />
      <p
        aria-live="polite"
        className={`min-w-0 text-muted empty:sr-only ${position === "after" ? "sm:order-1" : "sm:max-w-64 sm:text-end"}`}
      >
        {message}
      </p>
      <KeyButton
        type="submit"
        shortcut="t"
        description="Test the account"
        cap={false}
        size="small"
        variant={account.status === "connected" ? "quiet" : "secondary"}
        pending={pending}
        className="max-sm:min-h-12!"
      >
        {account.status === "error" ? "Try now" : "Test now"}
      </KeyButton>
    </form>
  );
}
