import { ActionForm } from "@/components/actions/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { EmailField, NewPasswordField } from "./credential-fields";

/** Introduces the service to first-time visitors. */
export const WhatItIs = () => <p>Your apps and agents ask before they act. You decide, from anywhere.</p>;

type AccountFormProps = {
  /** The one-time setup token, only for the first account. */
  token?: string;
  /** Whether a confirmation link is sent by email. */
  confirms: boolean;
};

/** The form that creates an account. */
export const AccountForm = ({ token, confirms }: AccountFormProps) => (
  <ActionForm act={token ? "account.set-up" : "account.create"} submit="Create your account" leaves>
    {token ? <input type="hidden" name="token" value={token} /> : null}
    <Field label="Your name" name="name">
      <TextInput autoComplete="name" required maxLength={100} autoFocus />
    </Field>
    {confirms ? <EmailField hint="We’ll send you a link to confirm your email." /> : <EmailField />}
    <NewPasswordField label="Password" name="password" />
  </ActionForm>
);
