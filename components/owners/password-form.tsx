import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { NewPasswordField, PasswordField, WhosePassword } from "./fields";

/** `email` lets password managers know whose password it is. */
export function PasswordForm({ action, email }: { action: FormAction; email: string }) {
  return (
    <ActionForm action={action} done="Your password is changed. Other devices have been signed out.">
      <WhosePassword email={email} />
      <PasswordField label="Current password" name="current" />
      <NewPasswordField />
      <div>
        <SubmitButton variant="primary">Change password</SubmitButton>
      </div>
    </ActionForm>
  );
}
