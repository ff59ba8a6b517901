import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { EmailField } from "./fields";

/** `next` is the local path that was asked for before. */
export function RecoveryForm({ action, next }: { action: FormAction; next: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="next" value={next} />
      <EmailField />
      <Field label="Recovery code" name="code" hint="Twelve letters and digits; how you write them does not matter.">
        <TextInput
          className="font-mono"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={100}
        />
      </Field>
      <SubmitButton variant="primary" size="wide">
        Use this code
      </SubmitButton>
    </ActionForm>
  );
}
