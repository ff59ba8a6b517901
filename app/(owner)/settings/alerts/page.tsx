import { Channels } from "@/components/alerts/channels";
import { Devices } from "@/components/alerts/devices";
import { BackLink } from "@/components/layout/page";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { groups } from "@/components/settings/setting-definitions";
import { SettingsCard } from "@/components/settings/settings-card";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/styled-links";
import { listChannels } from "@/lib/alerts/channels/channels";
import { slackAppLink } from "@/lib/alerts/channels/slack-bot";
import { listDevices } from "@/lib/alerts/devices";
import { vapidKeys } from "@/lib/alerts/push";
import { env } from "@/lib/config/env";
import { readEmailState } from "@/lib/owners/email-confirmation";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { type ArrivalSearch, backToApprovals } from "../../back-to-approvals";
import { settingsForms } from "../settings-form-values";

export const metadata = { title: "Alerts · Settings" };

export default async function Alerts({ searchParams }: { searchParams: ArrivalSearch }) {
  const owner = await requireOwner();
  const [forms, devices, channels, again, email] = await Promise.all([
    settingsForms(owner),
    listDevices(owner),
    listChannels(owner),
    signInAgainPath("/settings/alerts"),
    readEmailState(owner),
  ]);
  const { publicKey } = vapidKeys();
  const back = await backToApprovals(searchParams);
  return (
    <>
      {back ? <BackLink {...back} /> : null}
      <Card id="browsers" title="Alerts in your browsers">
        <Devices devices={devices} ownerId={owner.ownerId} publicKey={publicKey} />
      </Card>
      <Card id="channels" title="Alerts in other apps">
        <Channels
          channels={channels}
          stale={owner.fresh ? null : <SignInAgainNotice path={again} />}
          slackApp={slackAppLink()}
        />
      </Card>
      <SettingsCard {...forms} group={env().mail ? groups.alerts : withoutMail}>
        {env().mail === undefined ? <NoMail /> : email.confirmed ? null : <Unconfirmed email={email.email} />}
      </SettingsCard>
      <SettingsCard {...forms} group={groups.quiet} />
    </>
  );
}

const withoutMail = {
  ...groups.alerts,
  rows: groups.alerts.rows.filter(({ setting }) => !setting.startsWith("email")),
};

const Unconfirmed = ({ email }: { email: string }) => (
  <p className="pt-3 text-muted">
    To get email alerts,{" "}
    <TextLink href="/settings#account">
      confirm <bdi>{email}</bdi>
    </TextLink>
    .
  </p>
);

const NoMail = () => (
  <p id="emailAlerts" tabIndex={-1} className="pt-3 text-muted outline-none">
    Email isn’t set up on this server. <TextLink href="/docs/configuration">How to set up email</TextLink>
  </p>
);
