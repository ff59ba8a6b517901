import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { EmailField, NewPasswordField } from "./fields";

/** What this service is, for somebody who has never seen it. */
export const WhatItIs = () => (
  <p>Before your apps and agents do something that matters, Countersign asks you, and gives them your answer.</p>
);

type AccountFormProps = {
  action: FormAction;
  /** The one-time set-up token, for the first account. */
  token?: string;
  /** Whether a link to confirm the e-mail is sent. */
  confirms: boolean;
};

/** Who you are and how you will come in again. */
export const AccountForm = ({ action, token, confirms }: AccountFormProps) => (
  <ActionForm action={action} submit="Create your account">
    {token ? <input type="hidden" name="token" value={token} /> : null}
    <Field label="Your name" name="name">
      <TextInput autoComplete="name" required maxLength={100} autoFocus />
    </Field>
    {confirms ? <EmailField hint="We send you a link to confirm it." /> : <EmailField />}
    <NewPasswordField label="Password" name="password" />
  </ActionForm>
);
