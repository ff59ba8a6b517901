import { ActionForm } from "@/components/actions/action-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Field, TextInput } from "@/components/ui/fields/field";
import { OwnedItem, OwnedList } from "@/components/ui/owner-item-list";
import { SubmitButton } from "@/components/ui/submit-button";
import { LastUsed } from "@/components/ui/time/last-used";
import { ExactTime, TimeAgo } from "@/components/ui/time/time-ago";
import type { PasskeySummary, SessionSummary } from "@/lib/owners/schema";
import { PasskeyForm } from "./add-passkey-form";
import { NewPasswordField, PasswordField, WhosePassword } from "./credential-fields";

/** The owner's passkeys, with buttons to remove and add them. */
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
            about={name}
            question={`Remove ${name}?`}
            variant="secondary"
          >
            You’ll no longer be able to sign in with this passkey. Your password keeps working.
          </ConfirmButton>
        </OwnedItem>
      ))}
    </OwnedList>
    <PasskeyForm />
  </div>
);

/**
 * The owner's name and email. `confirms` is whether a new email takes effect only after
 * confirmation.
 */
export const AccountSettings = ({ owner, confirms }: { owner: { name: string; email: string }; confirms: boolean }) => (
  <ActionForm
    act="account.change"
    done={confirms ? "Changes saved. A new email address takes effect once you confirm it." : "Changes saved"}
    save="Save"
    className="grid max-w-md gap-5"
  >
    <Field label="Name" name="name">
      <TextInput autoComplete="name" required maxLength={100} defaultValue={owner.name} />
    </Field>
    <Field label="Email" name="email" {...(confirms && { hint: "We’ll send a link to confirm a new email address." })}>
      <TextInput
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        autoCapitalize="none"
        defaultValue={owner.email}
      />
    </Field>
  </ActionForm>
);

/** The form that changes the password. `email` identifies the account to password managers. */
export function PasswordForm({ email }: { email: string }) {
  return (
    <ActionForm act="password.change" done="Password changed. Other devices were signed out." className="grid gap-5">
      <WhosePassword email={email} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <PasswordField label="Current password" name="current" />
        <NewPasswordField />
      </div>
      <div>
        <SubmitButton variant="primary">Change password</SubmitButton>
      </div>
    </ActionForm>
  );
}

/** The owner's sessions, this device first, each with a sign-out button. */
export const SessionList = ({ sessions }: { sessions: readonly SessionSummary[] }) => (
  <OwnedList label="Active sessions">
    {sessions.map(({ id, device, address, how, createdAt, lastSeenAt, current }) => (
      <OwnedItem
        key={id}
        name={
          <>
            {device}
            {current ? <Badge>This device</Badge> : null}
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
          <ActionForm act="session.end" fields={{ id }} className="grid shrink-0 gap-2">
            <SubmitButton size="small" aria-label={`Sign out ${device}`} className="whitespace-nowrap">
              Sign out
            </SubmitButton>
          </ActionForm>
        )}
      </OwnedItem>
    ))}
  </OwnedList>
);
