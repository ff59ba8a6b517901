"use client";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { KeyIcon } from "@/components/ui/icons";
import { SubmitButton } from "@/components/ui/submit-button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { withPasskey } from "./ask-passkey";

type PasskeyButtonProps = {
  ask: FormAction<PublicKeyCredentialRequestOptionsJSON>;
  action: FormAction;
  /** The local path to open afterwards. */
  back: string;
};

/** Signs in with a passkey, in browsers that support it. */
export function PasskeyButton({ ask, action, back }: PasskeyButtonProps) {
  const alive = useHydrated();
  if (!alive || !("PublicKeyCredential" in window)) return null;
  const dialog = async (optionsJSON: PublicKeyCredentialRequestOptionsJSON) =>
    (await import("@simplewebauthn/browser")).startAuthentication({ optionsJSON });
  return (
    <ActionForm action={withPasskey(ask, dialog, action)} className="grid gap-3">
      <input type="hidden" name="back" value={back} />
      <SubmitButton size="wide">
        <KeyIcon />
        Use a passkey
      </SubmitButton>
    </ActionForm>
  );
}
