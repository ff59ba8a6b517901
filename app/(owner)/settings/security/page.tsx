import { RecoveryCodes } from "@/components/owners/recovery-codes";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { Passkeys, PasswordForm, SessionList } from "@/components/owners/sign-in-settings";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { TextLink } from "@/components/ui/styled-links";
import { listPasskeys } from "@/lib/owners/passkeys/passkeys";
import { recoveryState } from "@/lib/owners/recovery-codes";
import { mayReset } from "@/lib/owners/schema";
import { listSessions } from "@/lib/owners/sessions";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

export const metadata = { title: "Security · Settings" };

export default async function Security() {
  const owner = await requireOwner();
  const [sessions, passkeys, recovery, again] = await Promise.all([
    listSessions(owner),
    listPasskeys(owner),
    recoveryState(owner),
    signInAgainPath("/settings/security"),
  ]);
  return (
    <>
      {owner.fresh ? null : <SignInAgainNotice path={again} />}
      <Card id="password" title="Change password">
        <PasswordForm email={owner.email} />
        {owner.fresh && mayReset(owner.method) ? (
          <p className="mt-4">
            <TextLink href="/sign-in/new-password?next=%2Fsettings%2Fsecurity">
              Lost your password? Set a new password
            </TextLink>
          </p>
        ) : null}
      </Card>
      <Card id="passkeys" title="Passkeys">
        <p className="mb-4 text-muted">
          A passkey lets you sign in with your fingerprint, face or screen lock. Name it after the device.
        </p>
        <Passkeys passkeys={passkeys} />
      </Card>
      <Card id="recovery" title="Recovery codes">
        <RecoveryCodes state={recovery} />
      </Card>
      <Card id="sessions" title="Sessions">
        <SessionList sessions={sessions} />
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <p className="text-muted">Apps stay connected when you sign out.</p>
          <ConfirmButton act="session.end-all" label="Sign out everywhere" question="Sign out everywhere?">
            You’ll need to sign in again on every device. Alerts stop in all browsers.
          </ConfirmButton>
        </div>
      </Card>
    </>
  );
}
