import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** A password in place of one that was lost. `email` lets password managers know whose it is. */
export function NewPasswordForm({ action, email, back }: { action: FormAction; email: string; back: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="back" value={back} />
      <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field label="New password" name="next" hint="At least 15 characters. A few words in a row do well.">
        <TextInput type="password" autoComplete="new-password" required minLength={15} />
      </Field>
      <SubmitButton variant="primary" size="wide">
        Save the new password
      </SubmitButton>
    </ActionForm>
  );
}
