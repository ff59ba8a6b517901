import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, TextInput } from "@/components/ui/fields/field";
import type { WebhookEndpoint } from "@/lib/webhooks/schema";

/** `holds` is a sentence with code in backticks. */
export type EventKind = { type: string; holds: string };

type EndpointFieldsProps = {
  kinds: readonly EventKind[];
  endpoint?: Pick<WebhookEndpoint, "url" | "description" | "types">;
};

/** Renders text between backticks as code. */
const withCode = (text: string) =>
  text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never change
      <code key={index} className="mono">
        {part}
      </code>
    ) : (
      part
    ),
  );

/** The endpoint's URL and its event types. */
export const EndpointFields = ({ kinds, endpoint }: EndpointFieldsProps) => (
  <>
    <Field label="Address" name="url" hint="Enter an HTTPS URL on your server that accepts POST requests.">
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
      <legend className="font-medium">Event types</legend>
      <p className="text-muted">
        If you don’t select any types, the endpoint receives all event types, including types added later.
      </p>
      {kinds.map(({ type, holds }) => (
        <Checkbox
          key={type}
          name="types"
          value={type}
          defaultChecked={endpoint?.types.includes(type) ?? false}
          label={<span className="mono">{type}</span>}
          detail={withCode(holds)}
        />
      ))}
    </fieldset>
  </>
);
