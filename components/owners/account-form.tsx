import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { EmailField, NewPasswordField } from "./fields";

type AccountFormProps = {
  action: FormAction;
  /** The one-time set-up token, for the first account. */
  token?: string;
};

/** Who you are and how you will come in again. */
export function AccountForm({ action, token }: AccountFormProps) {
  return (
    <ActionForm action={action}>
      {token ? <input type="hidden" name="token" value={token} /> : null}
      <Field label="Your name" name="name">
        <TextInput autoComplete="name" required maxLength={100} />
      </Field>
      <EmailField />
      <NewPasswordField label="Password" name="password" />
      <SubmitButton variant="primary" size="wide">
        Create your account
      </SubmitButton>
    </ActionForm>
  );
}
