"use client";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { ActionForm } from "@/components/actions/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { withPasskey } from "./passkey-dialog";

/**
 * The form that creates a passkey on this device. It requires scripts.
 * @param name the passkey's name; by default, the form asks for one
 */
export function PasskeyForm({ name }: { name?: string }) {
  const alive = useHydrated();
  if (!alive) return <p className="text-muted">Adding a passkey needs JavaScript.</p>;
  if (!("PublicKeyCredential" in window)) {
    return <p className="text-muted">To add a passkey, use another browser or the service’s HTTPS address.</p>;
  }
  const dialog = async (optionsJSON: PublicKeyCredentialCreationOptionsJSON) =>
    (await import("@simplewebauthn/browser")).startRegistration({ optionsJSON });
  return (
    <ActionForm
      act="passkey.add"
      prepare={withPasskey("passkey.ask", dialog)}
      done="Passkey added"
      className="grid max-w-md gap-3"
    >
      {name === undefined ? (
        <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Field label="Name" name="name">
            <TextInput required maxLength={60} autoComplete="off" placeholder="Phone" />
          </Field>
          {/* On a wide screen, the button is next to the input, below the height of the label. */}
          <div className="sm:pt-6.5">
            <SubmitButton>Add a passkey</SubmitButton>
          </div>
        </div>
      ) : (
        <div>
          <input type="hidden" name="name" value={name} />
          <SubmitButton size="small">Add a passkey</SubmitButton>
        </div>
      )}
    </ActionForm>
  );
}
