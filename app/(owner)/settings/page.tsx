import { Channels } from "@/components/alerts/channels";
import { Devices } from "@/components/alerts/devices";
import { RowKeys } from "@/components/keys/row-keys";
import { Page } from "@/components/layout/page";
import { EmailConfirmation } from "@/components/owners/email-confirmation";
import { RecoveryCodes } from "@/components/owners/recovery-codes";
import { SignInAgainNotice } from "@/components/owners/sign-in-again";
import { AccountSettings, Passkeys, PasswordForm, SessionList } from "@/components/owners/sign-in-settings";
import { OwnData } from "@/components/settings/own-data";
import { groups } from "@/components/settings/rows";
import { Section, Sections, SettingsCard } from "@/components/settings/settings-card";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { ButtonLink, TextLink } from "@/components/ui/links";
import { listChannels } from "@/lib/alerts/channels/channels";
import { slackAppLink } from "@/lib/alerts/channels/slack-bot";
import { listDevices } from "@/lib/alerts/devices";
import { vapidKeys } from "@/lib/alerts/push";
import { readArchive } from "@/lib/archive/archive";
import { env } from "@/lib/config/env";
import { readRetention } from "@/lib/events/retention";
import { readEmailState } from "@/lib/owners/email-confirmation";
import { listPasskeys } from "@/lib/owners/passkeys";
import { recoveryState } from "@/lib/owners/recovery";
import { mayReset, timeZones } from "@/lib/owners/schema";
import { listSessions } from "@/lib/owners/sessions";
import { asForms } from "@/lib/owners/setting-change";
import { readSettings } from "@/lib/owners/settings";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

export const metadata = { title: "Settings" };

export default async function Settings() {
  const owner = await requireOwner();
  const [settings, sessions, passkeys, recovery, channels, again, keeping, archive, email] = await Promise.all([
    readSettings(owner),
    listSessions(owner),
    listPasskeys(owner),
    recoveryState(owner),
    listChannels(owner),
    signInAgainPath("/settings"),
    readRetention(),
    readArchive(owner),
    readEmailState(owner),
  ]);
  const given = { saved: asForms(settings), zones: timeZones };
  const stale = owner.fresh ? null : <SignInAgainNotice path={again} />;
  return (
    <Page title="Settings" lead="Most changes are saved automatically and apply to all your devices.">
      <Sections>
        <Section id="account">
          <Card title="Account">
            {env().mail ? <EmailConfirmation {...email} /> : null}
            {stale}
            <div data-fresh>
              <AccountSettings owner={owner} confirms={env().mail !== undefined} />
            </div>
          </Card>
          <Sessions sessions={sessions} />
          <Card id="passkeys" title="Passkeys">
            <p className="mb-4 max-w-[68ch] text-muted">
              Sign in with your fingerprint, your face or your device’s code. A passkey works only at this address, so
              it cannot be phished.
            </p>
            {stale}
            <Passkeys passkeys={passkeys} />
          </Card>
          <Card id="recovery" title="Recovery codes">
            {stale}
            <RecoveryCodes state={recovery} />
          </Card>
          <Card id="password" title="Change password">
            <div className="max-w-md">
              <PasswordForm email={owner.email} />
              {owner.fresh && mayReset(owner.method) ? (
                <p className="mt-4">
                  <TextLink href="/sign-in/new-password?next=%2Fsettings">Lost your password? Set a new one</TextLink>
                </p>
              ) : null}
            </div>
          </Card>
        </Section>
        <Section id="alerts">
          <AlertsCard />
          <Card id="channels" title="Alerts in other apps">
            <Channels channels={channels} stale={stale} slackApp={slackAppLink()} />
          </Card>
          <EmailCard given={given} email={email} />
          <SettingsCard {...given} group={groups.quiet} />
        </Section>
        <Section id="answering">
          <SettingsCard {...given} group={groups.answering} />
        </Section>
        <Section id="appearance">
          <SettingsCard {...given} group={groups.appearance} />
        </Section>
        <Section id="data">
          <OwnData stale={stale} keeping={keeping} archive={archive} />
        </Section>
      </Sections>
      <RowKeys name="Settings" row="setting" />
    </Page>
  );
}

const Sessions = ({ sessions }: React.ComponentProps<typeof SessionList>) => (
  <>
    <Card title="Sessions">
      <SessionList sessions={sessions} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="max-w-[56ch] text-muted">Signs you out on every device. Connected apps stay connected.</p>
        <ConfirmButton act="session.end-all" label="Sign out everywhere" question="Sign out everywhere?">
          You will need to sign in again.
        </ConfirmButton>
      </div>
    </Card>
    <Card id="phone" title="On your phone">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[56ch] text-muted">Scan a code to sign in, and set up alerts.</p>
        <ButtonLink href="/phone" size="small">
          Set up your phone
        </ButtonLink>
      </div>
    </Card>
  </>
);

type EmailCardProps = {
  given: Pick<React.ComponentProps<typeof SettingsCard>, "saved" | "zones">;
  email: Awaited<ReturnType<typeof readEmailState>>;
};

/** Alerts, among them those by email if the service sends any. */
const EmailCard = ({ given, email }: EmailCardProps) =>
  env().mail ? (
    <SettingsCard {...given} group={groups.alerts}>
      {email.confirmed ? null : (
        <p className="max-w-[60ch] pt-3 text-muted">
          To get alerts by email,{" "}
          <TextLink href="#account">
            confirm <bdi>{email.email}</bdi>
          </TextLink>{" "}
          first.
        </p>
      )}
    </SettingsCard>
  ) : (
    <SettingsCard {...given} group={withoutMail}>
      <NoMail />
    </SettingsCard>
  );

const withoutMail = {
  ...groups.alerts,
  rows: groups.alerts.rows.filter(({ setting }) => !setting.startsWith("email")),
};

const NoMail = () => (
  <div id="emailAlerts" tabIndex={-1} className="pt-3 outline-none">
    <p className="font-medium">Email</p>
    <p className="max-w-[60ch] text-muted">
      This service has no mail server, so it can’t send email. Your operator can set up a mail server with{" "}
      <span className="mono">SMTP_URL</span>.
    </p>
  </div>
);

/** The settings card for browsers with alerts. */
async function AlertsCard() {
  const owner = await requireOwner();
  const { publicKey } = vapidKeys();
  return (
    <Card id="browsers" title="Alerts in your browsers">
      <Devices devices={await listDevices(owner)} ownerId={owner.ownerId} publicKey={publicKey} />
    </Card>
  );
}
