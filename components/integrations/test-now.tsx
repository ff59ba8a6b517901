"use client";
import { useEffect, useState } from "react";
import { useOwnerAction } from "@/components/actions/use-owner-action";
import { KeyButton } from "@/components/keys/shortcut";
import { refreshPage } from "@/components/live/live-state";
import type { LinkedAccount } from "@/lib/integrations/accounts";

type TestNowProps = {
  account: Pick<LinkedAccount, "id" | "status" | "failing" | "checkedAt">;
  /** Where what came of it is said: before the button, unless told. */
  said?: "before" | "after";
};

/** How often the page is read again while the provider takes its time, and for how long at most. */
const lookMs = 2_000;
const patienceMs = 60_000;

const found: Record<LinkedAccount["status"], string> = {
  connected: "It works: its provider has just confirmed it.",
  needs_reauth: "It does not work: connect it again.",
  error: "No useful answer this time. We keep trying.",
  disconnected: "It was removed.",
};

/** A first failure changes no status, and is none the less what came of it. */
const outcome = (status: LinkedAccount["status"], failing: boolean) =>
  found[status === "connected" && failing ? "error" : status];

/** Asks an account's provider now whether it works, and says what came of it; later, if the provider takes its time. */
export function TestNow({ account, said: where = "before" }: TestNowProps) {
  const { result, pending, to } = useOwnerAction("integration.test", account.id);
  const [gaveUp, giveUp] = useState(false);
  const tested = result?.ok ? result.value : undefined;
  const waiting = !pending && tested?.waiting === true && account.checkedAt === tested.checkedAt;
  useEffect(() => {
    if (!waiting) return;
    const looks = setInterval(refreshPage, lookMs);
    const patience = setTimeout(() => {
      clearInterval(looks);
      giveUp(true);
    }, patienceMs);
    return () => {
      clearInterval(looks);
      clearTimeout(patience);
    };
  }, [waiting]);
  const said = pending
    ? "Asking its provider…"
    : result?.ok === false
      ? result.message
      : waiting
        ? gaveUp
          ? "Still no answer. We keep asking; the result shows here."
          : "Still checking. The result appears here by itself."
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
        className={`min-w-0 text-muted empty:sr-only ${where === "after" ? "sm:order-1" : "sm:max-w-64 sm:text-end"}`}
      >
        {said}
      </p>
      <KeyButton
        type="submit"
        shortcut="t"
        says="Test now"
        cap={false}
        size="small"
        pending={pending}
        className="max-sm:min-h-12!"
      >
        {account.status === "error" ? "Try now" : "Test now"}
      </KeyButton>
    </form>
  );
}
