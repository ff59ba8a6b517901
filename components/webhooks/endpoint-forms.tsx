"use client";
import { ActionForm } from "@/components/actions/action-form";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Switch } from "@/components/ui/fields/switch";
import { Notice } from "@/components/ui/notice";
import { ButtonLink } from "@/components/ui/styled-links";
import { SubmitButton } from "@/components/ui/submit-button";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { WebhookEndpoint } from "@/lib/webhooks/schema";
import { EndpointFields, type EventKind } from "./endpoint-fields";
import { disabledWords } from "./webhook-status-text";

type AddWebhookProps = { clientId: string; kinds: readonly EventKind[] };

/**
 * The form that adds a webhook. The signing secret replaces the form, because it is shown only
 * once.
 */
export function AddWebhook({ clientId, kinds }: AddWebhookProps) {
  return (
    <ActionForm
      act="webhook.add"
      fields={{ clientId }}
      className="grid max-w-2xl gap-5"
      success={({ id, secret }) => (
        <div className="grid gap-4">
          <Notice tone="ok" title="Webhook added">
            Copy the signing secret now. It can’t be shown again. Your server uses the secret to verify that messages
            come from Countersign.
          </Notice>
          <CopyableValue label="Signing secret" text={secret} />
          <div className="flex flex-wrap gap-2">
            <ButtonLink href={`/developer/${clientId}/webhooks/${id}`} variant="primary">
              Go to the webhook’s page
            </ButtonLink>
          </div>
        </div>
      )}
    >
      <EndpointFields kinds={kinds} />
      <div>
        <SubmitButton variant="primary">Add webhook</SubmitButton>
      </div>
    </ActionForm>
  );
}

/** The switch for deliveries. If we turned them off, a notice says why. */
export function EndpointSwitch({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, state, disabledReason } = endpoint;
  return (
    <div className="grid gap-3">
      {disabledReason ? <Notice tone="warn">{disabledWords[disabledReason]}</Notice> : null}
      <ActionForm act="webhook.switch" fields={{ id }} className="grid gap-2">
        <div className="flex items-center justify-between gap-4">
          <span>
            <span className="font-medium">Send events</span>
            <span className="block text-muted">
              Events that occur while sending is off aren’t sent later. The app can read these events at{" "}
              <code className="mono">/api/events</code>.
            </span>
          </span>
          <Switch checked={state === "on"} label="Send events" />
        </div>
      </ActionForm>
    </div>
  );
}

/** Changes the endpoint's URL and event types. */
export function EditWebhook({ endpoint, kinds }: { endpoint: WebhookEndpoint; kinds: readonly EventKind[] }) {
  return (
    <ActionForm
      act="webhook.change"
      save="Save"
      fields={{ id: endpoint.id }}
      done="Webhook saved"
      className="grid max-w-2xl gap-5"
    >
      {/* With a new key for each saved state, the fields reset to that state. */}
      <div key={JSON.stringify([endpoint.url, endpoint.description, endpoint.types])} className="grid gap-5">
        <EndpointFields kinds={kinds} endpoint={endpoint} />
      </div>
    </ActionForm>
  );
}

/** Creates a new signing secret. For a day, deliveries are also signed with the old one. */
export function RotateSecret({ endpoint: { id, oldSecretUntil } }: { endpoint: WebhookEndpoint }) {
  return (
    <ActionForm
      act="webhook.rotate-secret"
      save="Create a new secret"
      fields={{ id }}
      className="grid gap-3"
      success={({ secret }) => (
        <div className="grid gap-3">
          <Notice tone="ok">
            Copy the new secret now. It can’t be shown again. For 24 hours, Countersign signs events with both secrets,
            so you can switch without losing events.
          </Notice>
          <CopyableValue label="Signing secret" text={secret} />
        </div>
      )}
    >
      <p className="max-w-[68ch] text-muted">
        {oldSecretUntil === undefined ? (
          "If you lost or exposed the secret, create a new one. Countersign then signs events with both secrets for 24 hours."
        ) : (
          <>
            Two secrets are active. Countersign also signs events with the old secret until{" "}
            <ExactTime at={oldSecretUntil} />.
          </>
        )}
      </p>
    </ActionForm>
  );
}
