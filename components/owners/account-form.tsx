import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

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
      <Field label="E-mail" name="email">
        <TextInput type="email" autoComplete="username" required maxLength={254} autoCapitalize="none" />
      </Field>
      <Field label="Password" name="password" hint="At least 15 characters. A few words in a row do well.">
        <TextInput type="password" autoComplete="new-password" required minLength={15} />
      </Field>
      <SubmitButton variant="primary" size="wide">
        Create your account
      </SubmitButton>
    </ActionForm>
  );
}
