import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** `next` is the local path that was asked for before. */
export function SignInForm({ action, next }: { action: FormAction; next: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="next" value={next} />
      <Field label="E-mail" name="email">
        <TextInput type="email" autoComplete="username" required maxLength={254} autoCapitalize="none" />
      </Field>
      <Field label="Password" name="password">
        <TextInput type="password" autoComplete="current-password" required />
      </Field>
      <SubmitButton variant="primary" size="wide">
        Sign in
      </SubmitButton>
    </ActionForm>
  );
}
