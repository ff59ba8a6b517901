import Link from "next/link";
import { Page } from "@/components/layout/page";
import { Passkeys } from "@/components/owners/passkeys";
import { PasswordForm } from "@/components/owners/password-form";
import { RecoveryCodes } from "@/components/owners/recovery-codes";
import { SessionList } from "@/components/owners/session-list";
import { SignInAgainNotice } from "@/components/owners/sign-in-again";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { listPasskeys } from "@/lib/owners/passkeys";
import { recoveryState } from "@/lib/owners/recovery";
import { listSessions } from "@/lib/owners/sessions";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { AlertsCard } from "../alerts/card";
import {
  addMyPasskey,
  askNewPasskey,
  changeMyPassword,
  endOneSession,
  leaveEverywhere,
  newRecoveryCodes,
  removeMyPasskey,
} from "./actions";

export const metadata = { title: "Settings" };

export default async function Settings() {
  const owner = await requireOwner();
  const [sessions, passkeys, recovery, again] = await Promise.all([
    listSessions(owner),
    listPasskeys(owner),
    recoveryState(owner),
    signInAgainPath("/settings"),
  ]);
  const stale = owner.fresh ? null : <SignInAgainNotice path={again} />;
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className="grid gap-5">
        <Card title="Account">
          <Facts
            items={[
              ["Name", <bdi key="name">{owner.name}</bdi>],
              ["E-mail", owner.email],
            ]}
          />
        </Card>
        <AlertsCard />
        <Card title="Sessions">
          <SessionList sessions={sessions} end={endOneSession} />
          <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
            <p className="max-w-[56ch] text-muted">
              Ends your session here and on every other device. Apps keep what you gave them.
            </p>
            <ConfirmButton action={leaveEverywhere} label="Sign out everywhere" question="Sign out everywhere?">
              You will have to sign in to come back in.
            </ConfirmButton>
          </div>
        </Card>
        <Card title="Passkeys">
          <p className="mb-4 max-w-[68ch] text-muted">
            Sign in with your fingerprint, your face or your device’s code. A passkey works only at this address, so
            nobody can trick it out of you.
          </p>
          {stale}
          <Passkeys passkeys={passkeys} ask={askNewPasskey} add={addMyPasskey} remove={removeMyPasskey} />
        </Card>
        <Card title="Recovery codes">
          {stale}
          <RecoveryCodes action={newRecoveryCodes} state={recovery} />
        </Card>
        <Card title="Change password">
          <div className="max-w-md">
            <PasswordForm action={changeMyPassword} email={owner.email} />
            {owner.fresh && owner.method !== "password" ? (
              <p className="mt-4">
                <Link href="/sign-in/new-password?next=%2Fsettings" className="link">
                  Lost it? Choose a new one without it
                </Link>
              </p>
            ) : null}
          </div>
        </Card>
      </div>
    </Page>
  );
}
