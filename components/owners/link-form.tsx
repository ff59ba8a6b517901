import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** Where to send a sign-in link. The answer is the same whether or not anybody has that address. */
export function LinkForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} done="If that e-mail has an account here, a link is on its way to it.">
      <Field label="E-mail" name="email">
        <TextInput type="email" autoComplete="username" required maxLength={254} autoCapitalize="none" />
      </Field>
      <SubmitButton variant="primary" size="wide">
        Send me a link
      </SubmitButton>
    </ActionForm>
  );
}
