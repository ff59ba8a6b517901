import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { NewPasswordField, WhosePassword } from "./fields";

/** A password in place of one that was lost. `email` lets password managers know whose it is. */
export function NewPasswordForm({ action, email, back }: { action: FormAction; email: string; back: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="back" value={back} />
      <WhosePassword email={email} />
      <NewPasswordField />
      <SubmitButton variant="primary" size="wide">
        Save the new password
      </SubmitButton>
    </ActionForm>
  );
}
