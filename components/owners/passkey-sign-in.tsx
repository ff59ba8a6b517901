"use client";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { ActionForm } from "@/components/actions/action-form";
import { KeyIcon } from "@/components/ui/icons";
import { SubmitButton } from "@/components/ui/submit-button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { withPasskey } from "./passkey-dialog";

type PasskeyButtonProps = {
  /** Whether a signed-in owner confirms their identity. */
  confirms?: boolean;
  /** The local path to open afterwards. */
  back: string;
};

/** The button that signs in with a passkey. Hidden in browsers without passkeys. */
export function PasskeyButton({ confirms = false, back }: PasskeyButtonProps) {
  const alive = useHydrated();
  if (!alive || !("PublicKeyCredential" in window)) return null;
  const dialog = async (optionsJSON: PublicKeyCredentialRequestOptionsJSON) =>
    (await import("@simplewebauthn/browser")).startAuthentication({ optionsJSON });
  return (
    <ActionForm
      act={confirms ? "session.confirm-with-passkey" : "session.start-with-passkey"}
      prepare={withPasskey(confirms ? "session.ask-own-passkey" : "session.ask-passkey", dialog)}
      fields={{ back }}
      leaves
      className="grid gap-3"
    >
      <SubmitButton size="wide">
        <KeyIcon />
        Use a passkey
      </SubmitButton>
    </ActionForm>
  );
}
