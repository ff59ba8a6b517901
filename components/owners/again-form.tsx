import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** The password once more. `email` lets password managers know whose it is; `next` is where to go on. */
export function AgainForm({ action, email, next }: { action: FormAction; email: string; next: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="next" value={next} />
      <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field label="Password" name="password">
        <TextInput type="password" autoComplete="current-password" required />
      </Field>
      <SubmitButton variant="primary" size="wide">
        Continue
      </SubmitButton>
    </ActionForm>
  );
}
