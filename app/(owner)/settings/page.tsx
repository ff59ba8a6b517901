import { TurnOn } from "@/components/alerts/turn-on-alerts";
import { EmailConfirmation } from "@/components/owners/email-confirmation";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { AccountSettings } from "@/components/owners/sign-in-settings";
import { groups } from "@/components/settings/setting-definitions";
import { SettingsCard } from "@/components/settings/settings-card";
import { Card } from "@/components/ui/card";
import { ButtonLink, TextLink } from "@/components/ui/styled-links";
import { listDevices } from "@/lib/alerts/devices";
import { vapidKeys } from "@/lib/alerts/push";
import { env } from "@/lib/config/env";
import { readEmailState } from "@/lib/owners/email-confirmation";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { settingsForms } from "./settings-form-values";

export const metadata = { title: "Settings" };

export default async function You() {
  const owner = await requireOwner();
  const [forms, devices, again, email] = await Promise.all([
    settingsForms(owner),
    listDevices(owner),
    signInAgainPath("/settings"),
    readEmailState(owner),
  ]);
  return (
    <>
      <Card id="account" title="Name and email">
        {env().mail ? <EmailConfirmation {...email} /> : null}
        {owner.fresh ? null : <SignInAgainNotice path={again} />}
        <div data-fresh>
          <AccountSettings owner={owner} confirms={env().mail !== undefined} />
        </div>
      </Card>
      <SettingsCard {...forms} group={groups.you} />
      <Card id="this-browser" title="Alerts in this browser">
        <div className="grid justify-items-start gap-3">
          <TurnOn
            ownerId={owner.ownerId}
            publicKey={vapidKeys().publicKey}
            known={devices.some(({ current }) => current)}
            checks
            whenOn={<p className="text-muted">Alerts are on in this browser.</p>}
          />
          <p>
            <TextLink href="/settings/alerts">All alert settings</TextLink>
          </p>
        </div>
      </Card>
      <Card id="phone" title="Phone">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted">To sign in on your phone, scan a QR code.</p>
          <ButtonLink href="/phone" size="small">
            Set up your phone
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
