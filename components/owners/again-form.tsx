import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { PasswordField, WhosePassword } from "./fields";

/** The password once more. `email` lets password managers know whose it is; `next` is where to go on. */
export function AgainForm({ action, email, next }: { action: FormAction; email: string; next: string }) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="next" value={next} />
      <WhosePassword email={email} />
      <PasswordField />
      <SubmitButton variant="primary" size="wide">
        Continue
      </SubmitButton>
    </ActionForm>
  );
}
