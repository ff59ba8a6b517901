import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { EmailField } from "./fields";

/** Where to send a sign-in link. The answer is the same whether or not anybody has that address. */
export function LinkForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} done="If that e-mail has an account here, a link is on its way to it.">
      <EmailField />
      <SubmitButton variant="primary" size="wide">
        Send me a link
      </SubmitButton>
    </ActionForm>
  );
}
