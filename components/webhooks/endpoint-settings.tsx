"use client";
import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Switch } from "@/components/ui/fields/switch";
import { ButtonLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { ExactTime } from "@/components/ui/time/exact-time";
import type { WebhookEndpoint } from "@/lib/webhooks/schema";
import { EndpointFields, type EventKind } from "./endpoint-fields";
import { disabledWords } from "./words";

type AddWebhookProps = {
  clientId: string;
  kinds: readonly EventKind[];
};

/** Add a webhook. Its secret takes the form's place, because it is shown only now. */
export function AddWebhook({ clientId, kinds }: AddWebhookProps) {
  return (
    <OwnerActionForm
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
    </OwnerActionForm>
  );
}

/** Whether events are sent there: a switch that acts at once, and why it is off where we did that. */
export function EndpointSwitch({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, state, disabledReason } = endpoint;
  return (
    <div className="grid gap-3">
      {disabledReason ? <Notice tone="warn">{disabledWords[disabledReason]}</Notice> : null}
      <OwnerActionForm act="webhook.switch" fields={{ id }} className="grid gap-2">
        <div className="flex items-center justify-between gap-4">
          <span>
            <span className="font-medium">Send events</span>
            <span className="block text-muted">
              What happens while it is off is not sent later. The app can read it at{" "}
              <code className="mono">/api/events</code>.
            </span>
          </span>
          <Switch checked={state === "on"} label="Send events" />
        </div>
      </OwnerActionForm>
    </div>
  );
}

/** Change where events go, and which. */
export function EditWebhook({ endpoint, kinds }: { endpoint: WebhookEndpoint; kinds: readonly EventKind[] }) {
  return (
    <OwnerActionForm
      act="webhook.change"
      save="Save"
      fields={{ id: endpoint.id }}
      done="Saved."
      className="grid max-w-2xl gap-5"
    >
      {/* Made anew when the saved state has changed, so that it starts from what is saved. */}
      <div key={JSON.stringify([endpoint.url, endpoint.description, endpoint.types])} className="grid gap-5">
        <EndpointFields kinds={kinds} endpoint={endpoint} />
      </div>
    </OwnerActionForm>
  );
}

/** Replace the signing secret; the one before signs too for a day. */
export function RotateSecret({ endpoint: { id, oldSecretUntil } }: { endpoint: WebhookEndpoint }) {
  return (
    <OwnerActionForm
      act="webhook.rotate-secret"
      save="Create a new secret"
      fields={{ id }}
      className="grid gap-3"
      success={({ secret }) => (
        <div className="grid gap-3">
          <Notice tone="ok">
            Copy the new secret now: it cannot be shown again. For 24 hours everything is signed with both, so that you
            can replace it without losing anything.
          </Notice>
          <Secret label="Signing secret" text={secret} />
        </div>
      )}
    >
      <p className="max-w-[68ch] text-muted">
        {oldSecretUntil === undefined ? (
          "Lost it, or was it seen? Create a new one. The old one keeps signing beside it for 24 hours."
        ) : (
          <>
            Two are in use: the secret before the last one signs too until <ExactTime at={oldSecretUntil} />.
          </>
        )}
      </p>
    </OwnerActionForm>
  );
}
