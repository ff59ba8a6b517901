import { Page } from "@/components/layout/page";
import { PhoneLinkForm } from "@/components/owners/phone-sign-in-link";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { Card } from "@/components/ui/card";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { env, readSettings } from "@/lib/config/env";
import { exposureOf } from "@/lib/net/exposure";
import { listSessions } from "@/lib/owners/sessions";
import { isPhone } from "@/lib/owners/user-agent";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { type ArrivalSearch, backToApprovals } from "../back-to-approvals";

export const metadata = { title: "Set up your phone" };

/**
 * The page that sets up the owner's phone: an address that the phone can open, a scan to sign in,
 * and the installation.
 */
export default async function Phone({ searchParams }: { searchParams: ArrivalSearch }) {
  const owner = await requireOwner();
  const { publicUrl } = env();
  const { HOST, PORT: port } = readSettings(process.env);
  const reach = exposureOf(publicUrl, HOST);
  const phones = (await listSessions(owner)).filter(({ device }) => isPhone(device));
  return (
    <Page
      title="Set up your phone"
      back={(await backToApprovals(searchParams)) ?? { href: "/settings", label: "Settings" }}
    >
      <div className="grid gap-5">
        {reach === "here" ? (
          <Notice tone="warn" title="Your phone can’t open this address">
            Only this computer can open <b className="wrap-anywhere">{publicUrl}</b>. The operator can set up an HTTPS
            address.
          </Notice>
        ) : (
          <Card title="Sign in on your phone">
            {phones.length > 0 ? (
              <ul className="mb-4 text-muted">
                {phones.map(({ id, device, createdAt }) => (
                  <li key={id}>
                    Signed in on {device} <TimeAgo at={createdAt} />
                  </li>
                ))}
              </ul>
            ) : null}
            {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
            <p className="mb-4 text-muted">To sign in on your phone, scan a QR code.</p>
            <PhoneLinkForm />
            {reach === "http" ? (
              <div className="mt-4">
                <Notice tone="warn" title="Alerts need HTTPS">
                  Your phone must be on the same network as the server. To use alerts or passkeys, or to install
                  Countersign, you need an HTTPS address.
                </Notice>
              </div>
            ) : null}
          </Card>
        )}
        <Card title="Next steps on your phone">
          <ol className="grid list-decimal gap-1.5 ps-5">
            <li>
              Add Countersign to the home screen. On an iPhone or iPad, tap <b>Share</b>, then <b>Add to Home Screen</b>
              . On Android, choose <b>Install app</b> in the browser’s menu.
            </li>
            <li>Open Countersign from the home screen. On an iPhone or iPad, alerts work only in the installed app.</li>
            <li>
              Turn on alerts in <TextLink href="/settings/alerts">Settings › Alerts</TextLink>.
            </li>
          </ol>
        </Card>
        {reach === "https" ? null : <HttpsAddress port={port} />}
      </div>
    </Page>
  );
}

/** Two ways for the operator to get an address that a phone can open. */
const HttpsAddress = ({ port }: { port: number }) => (
  <Disclosure
    label="For the operator: set up an HTTPS address"
    className="rounded-xl bg-pane px-4 py-2 sm:px-5 forced-colors:border"
  >
    <p className="my-3 max-w-[68ch] text-muted">
      Stop the service, then run both commands for one of the options below. Passkeys that you created at the current
      address will stop working.
    </p>
    <div className="grid gap-5">
      <Way name="Tailscale" needs="Private access. Install Tailscale on this computer and on your phone.">
        {[
          `tailscale serve --bg ${port}`,
          `PORT=${port} TRUST_PROXY=1 PUBLIC_URL=https://MACHINE.TAILNET.ts.net npm start`,
        ]}
      </Way>
      <Way name="Caddy" needs="Public access. You need a domain and open ports 80 and 443.">
        {[
          `caddy reverse-proxy --from yes.example.com --to 127.0.0.1:${port}`,
          `PORT=${port} TRUST_PROXY=1 PUBLIC_URL=https://yes.example.com npm start`,
        ]}
      </Way>
    </div>
    <p className="mt-4 mb-2 max-w-[68ch] text-muted">
      Run each command in its own terminal. For Tailscale, set <code className="mono">PUBLIC_URL</code> to the address
      that <code className="mono">tailscale serve</code> prints.
    </p>
  </Disclosure>
);

const Way = ({ name, needs, children }: { name: string; needs: string; children: string[] }) => (
  <section>
    <h3 className="font-semibold">{name}</h3>
    <p className="mb-2 max-w-[68ch] text-muted">{needs}</p>
    <CopyableValue label="Commands" text={children.join("\n")} />
  </section>
);
