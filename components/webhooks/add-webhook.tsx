"use client";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { EndpointFields, type EventKind } from "./endpoint-fields";

type AddWebhookProps = {
  action: FormAction<{ id: string; secret: string }>;
  clientId: string;
  kinds: readonly EventKind[];
};

/** Add a webhook. Its secret takes the form's place, because it is shown only now. */
export function AddWebhook({ action, clientId, kinds }: AddWebhookProps) {
  return (
    <ActionForm
      action={action}
      className="grid max-w-2xl gap-5"
      success={({ id, secret }) => (
        <div className="grid gap-4">
          <Notice tone="ok" title="Webhook added">
            Copy the signing secret now: it cannot be shown again. Your server uses it to check that messages come from
            here.
          </Notice>
          <Secret label="Signing secret" text={secret} />
          <div className="flex flex-wrap gap-2">
            <ButtonLink href={`/developer/${clientId}/webhooks/${id}`} variant="primary">
              Go on and send a test
            </ButtonLink>
          </div>
        </div>
      )}
    >
      <input type="hidden" name="clientId" value={clientId} />
      <EndpointFields kinds={kinds} />
      <div>
        <SubmitButton variant="primary">Add webhook</SubmitButton>
      </div>
    </ActionForm>
  );
}
