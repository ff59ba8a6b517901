"use client";
import { ActForm } from "@/components/acts/act-form";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { EndpointFields, type EventKind } from "./endpoint-fields";

type AddWebhookProps = {
  clientId: string;
  kinds: readonly EventKind[];
};

/** Add a webhook. Its secret takes the form's place, because it is shown only now. */
export function AddWebhook({ clientId, kinds }: AddWebhookProps) {
  return (
    <ActForm
      act="webhook.add"
      fields={{ clientId }}
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
      <EndpointFields kinds={kinds} />
      <div>
        <SubmitButton variant="primary">Add webhook</SubmitButton>
      </div>
    </ActForm>
  );
}
