"use client";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { useAlive } from "@/components/ui/use-alive";
import { withPasskey } from "./ask-passkey";

type PasskeyFormProps = { ask: FormAction<PublicKeyCredentialCreationOptionsJSON>; add: FormAction };

/** Make a passkey on this device. Browsers do that by script only. */
export function PasskeyForm({ ask, add }: PasskeyFormProps) {
  const alive = useAlive();
  if (!alive) return <p className="text-muted">Adding a passkey needs JavaScript.</p>;
  if (!("PublicKeyCredential" in window)) {
    return <p className="text-muted">This browser cannot make passkeys, or this address is not secure (https).</p>;
  }
  const dialog = async (optionsJSON: PublicKeyCredentialCreationOptionsJSON) =>
    (await import("@simplewebauthn/browser")).startRegistration({ optionsJSON });
  return (
    <ActionForm action={withPasskey(ask, dialog, add)} done="Passkey added." className="grid max-w-md gap-3">
      <Field label="Name" name="name" hint="Where it is kept, so that you know it again.">
        <TextInput required maxLength={60} autoComplete="off" placeholder="Phone" />
      </Field>
      <div>
        <SubmitButton>Add a passkey</SubmitButton>
      </div>
    </ActionForm>
  );
}
