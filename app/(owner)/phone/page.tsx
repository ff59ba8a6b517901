import { Page } from "@/components/layout/page";
import { PhoneLinkForm } from "@/components/owners/phone-link";
import { SignInAgainNotice } from "@/components/owners/sign-in-again";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { env, readSettings } from "@/lib/config/env";
import { exposureOf } from "@/lib/net/exposure";
import { listSessions } from "@/lib/owners/sessions";
import { isPhone } from "@/lib/owners/user-agent";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

export const metadata = { title: "On your phone" };

/** Sets up the owner's phone: a reachable address, one scan to sign in, and installing the app. */
export default async function Phone() {
  const owner = await requireOwner();
  const { publicUrl } = env();
  const { HOST, PORT: port } = readSettings(process.env);
  const reach = exposureOf(publicUrl, HOST);
  const phones = (await listSessions(owner)).filter(({ device }) => isPhone(device));
  return (
    <Page
      title="On your phone"
      lead="Answer from anywhere, and know when an app asks."
      back={{ href: "/settings", label: "Settings" }}
    >
      <div className="grid gap-5">
        {reach === "here" ? (
          <Notice tone="warn" title="Your phone can’t reach this address yet">
            Countersign is at <b className="break-all">{publicUrl}</b>, which only this computer can open. First, set up
            an HTTPS address in one of the two ways below.
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
            <p className="mb-4 max-w-[68ch] text-muted">
              Scan a code to open <span className="break-all">{publicUrl}</span> on your phone, signed in as you.
            </p>
            {reach === "http" ? (
              <div className="mb-4">
                <Notice tone="warn" title="Alerts need HTTPS">
                  Your phone can answer here on the same network. Browsers allow alerts, passkeys and installing only at
                  an HTTPS address.
                </Notice>
              </div>
            ) : null}
            <PhoneLinkForm />
          </Card>
        )}
        {reach === "https" ? null : <HttpsAddress port={port} />}
        <Card title="Next, on your phone">
          <ol className="grid list-decimal gap-1.5 ps-5">
            <li>
              Add Countersign to the home screen. On an iPhone or iPad, tap <b>Share</b>, then <b>Add to Home Screen</b>
              . On Android, choose <b>Install app</b> in the browser’s menu.
            </li>
            <li>Open Countersign from the home screen. On an iPhone or iPad, alerts work only there.</li>
            <li>
              Turn on alerts in <TextLink href="/settings/alerts">Settings</TextLink>.
            </li>
          </ol>
        </Card>
      </div>
    </Page>
  );
}

/** For the operator: two ways to an address that a phone can open. */
const HttpsAddress = ({ port }: { port: number }) => (
  <Card title="Set up an HTTPS address">
    <p className="mb-4 max-w-[68ch] text-muted">
      For the operator: stop the service, then choose an option. Passkeys belong to an address, so passkeys from the old
      address stop working.
    </p>
    <div className="grid gap-5">
      <Way name="Tailscale" needs="Private to your own devices. Install Tailscale on this computer and on the phone.">
        {[
          `tailscale serve --bg ${port}`,
          `PORT=${port} TRUST_PROXY=1 PUBLIC_URL=https://MACHINE.TAILNET.ts.net npm start`,
        ]}
      </Way>
      <Way name="Caddy" needs="Public. Needs a domain name that points to this computer, and open ports 80 and 443.">
        {[
          `caddy reverse-proxy --from yes.example.com --to 127.0.0.1:${port}`,
          `PORT=${port} TRUST_PROXY=1 PUBLIC_URL=https://yes.example.com npm start`,
        ]}
      </Way>
    </div>
    <p className="mt-4 max-w-[68ch] text-muted">
      <code className="mono">tailscale serve</code> prints the address to use. Run each command in its own terminal.
    </p>
  </Card>
);

const Way = ({ name, needs, children }: { name: string; needs: string; children: string[] }) => (
  <section>
    <h3 className="font-semibold">{name}</h3>
    <p className="mb-2 max-w-[68ch] text-muted">{needs}</p>
    <Secret label="Commands" text={children.join("\n")} />
  </section>
);
