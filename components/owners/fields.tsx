import { Field, TextInput } from "@/components/ui/fields/field";
import { NewPassword } from "./new-password";

/** The e-mail of an account, for those who are not signed in. */
export const EmailField = ({ hint }: { hint?: string }) => (
  <Field label="E-mail" name="email" {...(hint && { hint })}>
    <TextInput type="email" autoComplete="username" required maxLength={254} autoCapitalize="none" />
  </Field>
);

/** Lets password managers know whose password the form is about. */
export const WhosePassword = ({ email }: { email: string }) => (
  <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
);

/** The password that one has. */
export const PasswordField = ({ label = "Password", name = "password" }: { label?: string; name?: string }) => (
  <Field label={label} name={name}>
    <TextInput type="password" autoComplete="current-password" required />
  </Field>
);

/** A password that one chooses. */
export const NewPasswordField = ({ label = "New password", name = "next" }: { label?: string; name?: string }) => (
  <Field label={label} name={name} hint="At least 15 characters. Four random words work well.">
    <NewPassword />
  </Field>
);
