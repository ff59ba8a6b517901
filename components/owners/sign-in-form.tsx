import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { EmailField, PasswordField } from "./fields";

/** `next` is the local path that was asked for before. */
export function SignInForm({ action, next }: { action: FormAction; next: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="next" value={next} />
      <EmailField />
      <PasswordField />
      <SubmitButton variant="primary" size="wide">
        Sign in
      </SubmitButton>
    </ActionForm>
  );
}
