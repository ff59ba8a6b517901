import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { FormAction } from "@/components/ui/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Thing, Things } from "@/components/ui/things";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { PasskeySummary } from "@/lib/owners/schema";
import { PasskeyForm } from "./passkey-form";

type PasskeysProps = {
  passkeys: readonly PasskeySummary[];
  ask: FormAction<PublicKeyCredentialCreationOptionsJSON>;
  add: FormAction;
  remove: FormAction;
};

/** The owner's passkeys, each with a way to remove it, and a way to add one. */
export const Passkeys = ({ passkeys, ask, add, remove }: PasskeysProps) => (
  <div className="grid gap-4">
    <Things label="Your passkeys">
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <Thing
          key={id}
          name={<bdi>{name}</bdi>}
          about={
            <>
              added <TimeAgo at={createdAt} /> · <LastUsed at={lastUsedAt} />
            </>
          }
          gone={`Removed ${name}`}
        >
          <ConfirmButton
            action={remove}
            fields={{ id }}
            label="Remove"
            question={`Remove ${name}?`}
            variant="secondary"
          >
            It no longer signs you in. Your password keeps working.
          </ConfirmButton>
        </Thing>
      ))}
    </Things>
    <PasskeyForm ask={ask} add={add} />
  </div>
);
