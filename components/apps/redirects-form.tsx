import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextArea } from "@/components/ui/fields/field";
import { SubmitButton } from "@/components/ui/submit-button";

type RedirectsFormProps = { action: FormAction; clientId: string; redirectUris: readonly string[] };

/** Where the app may send the owner's browser back to. */
export function RedirectsForm({ action, clientId, redirectUris }: RedirectsFormProps) {
  return (
    <ActionForm action={action} done="Saved." className="grid max-w-2xl gap-3">
      <input type="hidden" name="clientId" value={clientId} />
      <Field label="Redirect addresses" name="redirectUris" hint="One per line, compared exactly.">
        <TextArea
          key={redirectUris.join()}
          className="font-mono"
          defaultValue={redirectUris.join("\n")}
          spellCheck={false}
        />
      </Field>
      <div>
        <SubmitButton size="small">Save addresses</SubmitButton>
      </div>
    </ActionForm>
  );
}
