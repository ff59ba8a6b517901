import { ConfirmButton } from "@/components/ui/confirm-button";

type RevokeButtonProps = { clientId: string; name: string; label: string; quiet?: boolean };

/** Take all access back from one app, after asking once more. */
export function RevokeButton({ clientId, name, label, quiet = false }: RevokeButtonProps) {
  return (
    <ConfirmButton
      act="app.revoke"
      shortcut="Delete"
      says="Revoke its access"
      fields={{ clientId }}
      label={label}
      confirm="Revoke access"
      question={`Revoke all access of ${name}?`}
      {...(quiet ? { variant: "quiet" as const } : {})}
    >
      Its next call is refused, and it can no longer read your answers. What it asked stays in your history.
    </ConfirmButton>
  );
}
