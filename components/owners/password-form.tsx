import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** `email` lets password managers know whose password it is. */
export function PasswordForm({ action, email }: { action: FormAction; email: string }) {
  return (
    <ActionForm action={action} done="Your password is changed. Other devices have been signed out.">
      <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field label="Current password" name="current">
        <TextInput type="password" autoComplete="current-password" required />
      </Field>
      <Field label="New password" name="next" hint="At least 15 characters. A few words in a row do well.">
        <TextInput type="password" autoComplete="new-password" required minLength={15} />
      </Field>
      <div>
        <SubmitButton variant="primary">Change password</SubmitButton>
      </div>
    </ActionForm>
  );
}
