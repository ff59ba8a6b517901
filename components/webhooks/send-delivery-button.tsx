"use client";
import { useEffect, useRef } from "react";
import { useAction } from "@/components/actions/use-action";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Tried } from "@/lib/webhooks/owner-actions";
import { attemptWords } from "./webhook-status-text";

/** A button that sends a delivery now and shows the result. */
export function TryButton({ act, id, label }: { act: "webhook.test" | "webhook.resend"; id: string; label: string }) {
  const { result, to } = useAction(act, id);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result) outcome.current?.focus();
  }, [result]);
  return (
    <form {...to} className="grid justify-items-start gap-3">
      <input type="hidden" name="id" value={id} />
      <div ref={outcome} tabIndex={-1} className="outline-none empty:hidden">
        {result && !result.ok ? <Notice tone="danger">{result.message}</Notice> : null}
        {result?.ok && result.value ? <HowItWent {...result.value} /> : null}
      </div>
      <SubmitButton size="small">{label}</SubmitButton>
    </form>
  );
}

function HowItWent({ state, latest }: Tried) {
  if (state === "delivered" && latest) return <Notice tone="ok">Delivered: {attemptWords(latest)}.</Notice>;
  if (state === "dropped")
    return (
      <Notice tone="warn">
        Couldn’t send the event. The app can no longer read this event, or the webhook is off.
      </Notice>
    );
  if (!latest) return <Notice tone="warn">Delivery started. Refresh the page in a moment.</Notice>;
  return (
    <Notice tone="warn">
      Couldn’t deliver the event. {attemptWords(latest)}. {state === "pending" ? "We’ll try again." : null}
    </Notice>
  );
}
