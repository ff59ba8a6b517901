import { Field, TextInput } from "@/components/ui/fields/field";
import { NewPassword } from "./new-password-input";

/** The email field for signed-out visitors. `known` is the initial value. */
export const EmailField = ({ hint, known }: { hint?: string; known?: string | undefined }) => (
  <Field label="Email" name="email" {...(hint && { hint })}>
    <TextInput
      type="email"
      autoComplete="username"
      required
      maxLength={254}
      autoCapitalize="none"
      {...(known && { defaultValue: known })}
    />
  </Field>
);

/** A hidden username, so that password managers find the right account. */
export const WhosePassword = ({ email }: { email: string }) => (
  <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
);

/** The field for the current password. */
export const PasswordField = ({ label = "Password", name = "password" }: { label?: string; name?: string }) => (
  <Field label={label} name={name}>
    <TextInput type="password" autoComplete="current-password" required />
  </Field>
);

/** The field for a new password. */
export const NewPasswordField = ({ label = "New password", name = "next" }: { label?: string; name?: string }) => (
  <Field label={label} name={name} hint="Use at least 15 characters. Four random words work well." repeats>
    <NewPassword />
  </Field>
);
