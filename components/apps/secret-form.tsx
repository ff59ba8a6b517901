"use client";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";

type SecretFormProps = { action: FormAction<{ clientSecret: string }>; clientId: string; last4: string };

/** Give a confidential app another secret. The old one stops at once, so it is asked for with a tick. */
export function SecretForm({ action, clientId, last4 }: SecretFormProps) {
  return (
    <ActionForm
      action={action}
      className="grid gap-3"
      success={({ clientSecret }) => (
        <div className="grid gap-3">
          <Notice tone="ok">Copy the new secret now. The old one no longer works.</Notice>
          <Secret label="Client secret" text={clientSecret} />
        </div>
      )}
    >
      <p>
        The secret in use ends in <span className="mono">{last4}</span>. A new one replaces it at once; tokens already
        issued go on working.
      </p>
      <input type="hidden" name="clientId" value={clientId} />
      <div>
        <SubmitButton size="small">Replace secret</SubmitButton>
      </div>
    </ActionForm>
  );
}
