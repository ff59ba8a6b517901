import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { FormAction } from "@/components/ui/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { TimeAgo } from "@/components/ui/time-ago";
import type { PasskeySummary } from "@/lib/owners/schema";
import { PasskeyForm } from "./passkey-form";

type PasskeysProps = {
  passkeys: readonly PasskeySummary[];
  ask: FormAction<PublicKeyCredentialCreationOptionsJSON>;
  add: FormAction;
  remove: FormAction;
};

/** The owner's passkeys, each with a way to remove it, and a way to add one. */
export function Passkeys({ passkeys, ask, add, remove }: PasskeysProps) {
  return (
    <div className="grid gap-4">
      {passkeys.length > 0 ? (
        <ul className="divide-y divide-line" aria-label="Your passkeys">
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id} className="flex items-center justify-between gap-4 py-2.5">
              <div className="min-w-0">
                <p className="font-medium">
                  <bdi>{name}</bdi>
                </p>
                <p className="text-muted">
                  added <TimeAgo at={createdAt} />
                  {lastUsedAt ? (
                    <>
                      {" · used "}
                      <TimeAgo at={lastUsedAt} />
                    </>
                  ) : (
                    " · never used"
                  )}
                </p>
              </div>
              <ConfirmButton
                action={remove}
                fields={{ id }}
                label="Remove"
                question={`Remove ${name}?`}
                variant="secondary"
              >
                It no longer signs you in. Your password goes on working.
              </ConfirmButton>
            </li>
          ))}
        </ul>
      ) : null}
      <PasskeyForm ask={ask} add={add} />
    </div>
  );
}
