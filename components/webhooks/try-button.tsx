"use client";
import { useActionState, useEffect, useRef } from "react";
import type { FormAction } from "@/components/ui/action-form";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Attempt, DeliveryState } from "@/lib/webhooks/schema";
import { attemptWords } from "./words";

/** How the attempt went that was asked for; without `latest` none has been made yet. */
export type Tried = { state: DeliveryState; latest?: Attempt };

/** A button that has something sent now, and says how that went. */
export function TryButton({ action, id, label }: { action: FormAction<Tried>; id: string; label: string }) {
  const [result, send] = useActionState(action, null);
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result) said.current?.focus();
  }, [result]);
  return (
    <form action={send} className="grid justify-items-start gap-3">
      <input type="hidden" name="id" value={id} />
      <div ref={said} tabIndex={-1} className="outline-none empty:hidden">
        {result && !result.ok ? <Notice tone="danger">{result.message}</Notice> : null}
        {result?.ok && result.value ? <HowItWent {...result.value} /> : null}
      </div>
      <SubmitButton size="small">{label}</SubmitButton>
    </form>
  );
}

function HowItWent({ state, latest }: Tried) {
  if (state === "delivered" && latest) return <Notice tone="ok">Delivered: {attemptWords(latest)}.</Notice>;
  if (state === "dropped") return <Notice tone="warn">Not sent: the app is no longer allowed to see it.</Notice>;
  if (!latest) return <Notice tone="warn">On its way. Look again in a moment.</Notice>;
  return (
    <Notice tone="warn">
      Not delivered: {attemptWords(latest)}. {state === "pending" ? "It will be tried again." : null}
    </Notice>
  );
}
