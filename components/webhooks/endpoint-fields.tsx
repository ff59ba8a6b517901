import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, TextInput } from "@/components/ui/fields/field";
import type { WebhookEndpoint } from "@/lib/webhooks/schema";

export type EventKind = { type: string; holds: string };

type EndpointFieldsProps = {
  kinds: readonly EventKind[];
  endpoint?: Pick<WebhookEndpoint, "url" | "description" | "types">;
};

/** Where events are sent, and which. */
export const EndpointFields = ({ kinds, endpoint }: EndpointFieldsProps) => (
  <>
    <Field label="Address" name="url" hint="An https address of your server that takes POST.">
      <TextInput
        required
        inputMode="url"
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://app.example.com/hooks"
        defaultValue={endpoint?.url}
      />
    </Field>
    <Field label="Description (optional)" name="description">
      <TextInput maxLength={200} autoComplete="off" placeholder="Production" defaultValue={endpoint?.description} />
    </Field>
    <fieldset>
      <legend className="font-medium">Which events</legend>
      <p className="text-muted">With none ticked, all of them, including types added later.</p>
      {kinds.map(({ type, holds }) => (
        <Checkbox
          key={type}
          name="types"
          value={type}
          defaultChecked={endpoint?.types.includes(type) ?? false}
          label={<span className="mono">{type}</span>}
          detail={holds}
        />
      ))}
    </fieldset>
  </>
);
