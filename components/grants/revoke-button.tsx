import { ConfirmButton } from "@/components/ui/confirm-button";

type RevokeButtonProps = { clientId: string; name: string; label: string; quiet?: boolean };

/** A button that revokes all of one app's access, after a confirmation. */
export function RevokeButton({ clientId, name, label, quiet = false }: RevokeButtonProps) {
  return (
    <ConfirmButton
      act="app.revoke"
      shortcut="Delete"
      description="Revoke access"
      fields={{ clientId }}
      label={label}
      {...(quiet ? { about: name } : {})}
      confirm="Revoke access"
      question={`Revoke all access for ${name}?`}
      {...(quiet ? { variant: "quiet" as const } : {})}
    >
      The app loses access immediately. Your history is kept.
    </ConfirmButton>
  );
}
