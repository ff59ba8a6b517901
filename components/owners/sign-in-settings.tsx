import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Field, TextInput } from "@/components/ui/fields/field";
import { OwnedItem, OwnedList } from "@/components/ui/owned-list";
import { SubmitButton } from "@/components/ui/submit-button";
import { ExactTime } from "@/components/ui/time/exact-time";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { PasskeySummary, SessionSummary } from "@/lib/owners/schema";
import { NewPasswordField, PasswordField, WhosePassword } from "./fields";
import { PasskeyForm } from "./passkey-form";

/** The owner's passkeys, each with a way to remove it, and a way to add one. */
export const Passkeys = ({ passkeys }: { passkeys: readonly PasskeySummary[] }) => (
  <div className="grid gap-4">
    <OwnedList label="Your passkeys">
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <OwnedItem
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
            act="passkey.remove"
            fields={{ id }}
            label="Remove"
            question={`Remove ${name}?`}
            variant="secondary"
          >
            It no longer signs you in. Your password keeps working.
          </ConfirmButton>
        </OwnedItem>
      ))}
    </OwnedList>
    <PasskeyForm />
  </div>
);

/** The owner's name and e-mail. `confirms`: whether a new e-mail counts only once it is confirmed. */
export const AccountSettings = ({ owner, confirms }: { owner: { name: string; email: string }; confirms: boolean }) => (
  <OwnerActionForm
    act="account.change"
    done={confirms ? "Saved. A new e-mail counts once you confirm it." : "Saved"}
    save="Save"
    className="grid max-w-md gap-5"
  >
    <Field label="Name" name="name">
      <TextInput autoComplete="name" required maxLength={100} defaultValue={owner.name} />
    </Field>
    <Field
      label="E-mail"
      name="email"
      hint={confirms ? "You sign in with it. We send a link to a new one to confirm it." : "You sign in with it."}
    >
      <TextInput
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        autoCapitalize="none"
        defaultValue={owner.email}
      />
    </Field>
  </OwnerActionForm>
);

/** `email` lets password managers know whose password it is. */
export function PasswordForm({ email }: { email: string }) {
  return (
    <OwnerActionForm
      act="password.change"
      done="Your password is changed. Other devices have been signed out."
      className="grid gap-5"
    >
      <WhosePassword email={email} />
      <PasswordField label="Current password" name="current" />
      <NewPasswordField />
      <div>
        <SubmitButton variant="primary">Change password</SubmitButton>
      </div>
    </OwnerActionForm>
  );
}

/** Where the owner is signed in, this device first, each with a way to end it. */
export const SessionList = ({ sessions }: { sessions: readonly SessionSummary[] }) => (
  <OwnedList label="Where you are signed in">
    {sessions.map(({ id, device, address, how, createdAt, lastSeenAt, current }) => (
      <OwnedItem
        key={id}
        name={
          <>
            {device}
            {current ? <Badge tone="ok">This device</Badge> : null}
          </>
        }
        about={
          <>
            <span className="break-all">{address}</span> · signed in <ExactTime at={createdAt} />
            {how}
            {current ? null : (
              <>
                {" · "}
                <LastUsed at={lastSeenAt} />
              </>
            )}
          </>
        }
        gone={`Signed out ${device}`}
      >
        {current ? (
          <form action="/sign-out" method="post" className="shrink-0">
            <Button type="submit" size="small" aria-label="Sign out this device" className="whitespace-nowrap">
              Sign out
            </Button>
          </form>
        ) : (
          <OwnerActionForm act="session.end" fields={{ id }} className="grid shrink-0 gap-2">
            <SubmitButton size="small" aria-label={`Sign out ${device}`} className="whitespace-nowrap">
              Sign out
            </SubmitButton>
          </OwnerActionForm>
        )}
      </OwnedItem>
    ))}
  </OwnedList>
);
