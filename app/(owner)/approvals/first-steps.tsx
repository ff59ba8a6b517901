import { headers } from "next/headers";
import { ActionForm } from "@/components/actions/action-form";
import { LazyTurnOn } from "@/components/alerts/lazy-turn-on";
import { AddPasskey } from "@/components/owners/add-passkey";
import { Button } from "@/components/ui/button";
import { CheckIcon } from "@/components/ui/icons";
import { ButtonLink, LinkLine, TextLink } from "@/components/ui/links";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { vapidKeys } from "@/lib/alerts/push";
import { firstAnswer } from "@/lib/approvals/onboarding-question";
import { env } from "@/lib/config/env";
import { listPasskeys, passkeysWork } from "@/lib/owners/passkeys";
import { listSessions } from "@/lib/owners/sessions";
import { describeDevice, isPhone } from "@/lib/owners/user-agent";
import type { SignedIn } from "@/lib/web/auth";

/** Suggestions for a new owner, until they answer an app's question or hide them. */
export async function FirstSteps({ owner }: { owner: SignedIn }) {
  const [answer, passkeys, sessions] = await Promise.all([
    firstAnswer(owner),
    listPasskeys(owner),
    listSessions(owner),
  ]);
  const device = describeDevice((await headers()).get("user-agent") ?? "");
  return (
    <section aria-label="First steps">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h2 tabIndex={-1} className="text-base outline-none">
          {answer ? "What’s next?" : "First steps"}
        </h2>
        <ActionForm act="setting.hide-first-steps">
          <Button type="submit" variant="quiet" size="small" className="-me-3 whitespace-nowrap">
            Hide these steps
          </Button>
        </ActionForm>
      </div>
      <p className="text-muted">
        {answer ? "That’s how it works. " : null}No pending questions. When an app asks, its question appears here.
      </p>
      <ol className="mt-4 divide-y divide-line rounded-xl bg-pane forced-colors:border px-4 sm:px-5">
        <AlertsStep answer={answer} ownerId={owner.ownerId} />
        {passkeysWork() ? (
          <Step title="A passkey">
            <p className="text-muted">Sign in with your fingerprint, your face or your device’s code.</p>
            {passkeys.length > 0 ? <Done>Added</Done> : <AddPasskey name={device} />}
            <NeedsScripts />
          </Step>
        ) : null}
        <Step title="Your phone">
          <p className="text-muted">Answer from anywhere.</p>
          {sessions.some((it) => isPhone(it.device)) ? (
            <Done>Signed in on a phone</Done>
          ) : (
            <ButtonLink href="/phone" size="small">
              Set up your phone
            </ButtonLink>
          )}
        </Step>
        <Step title="Your first app">
          <p className="text-muted">
            Add this address to your agent’s MCP servers. The agent asks for access, and you choose its permissions.
            Building your own app? Go to <TextLink href="/developer">Developer</TextLink>.
          </p>
          <Secret label="Address" text={`${env().publicUrl}/api/mcp`} />
          <ActionForm act="approval.try">
            <SubmitButton size="small">Send me a test approval</SubmitButton>
          </ActionForm>
        </Step>
      </ol>
    </section>
  );
}

type AlertsStepProps = { answer: Awaited<ReturnType<typeof firstAnswer>>; ownerId: string };

/** Turns on alerts, as far as the owner's first answer asks for that. */
const AlertsStep = ({ answer, ownerId }: AlertsStepProps) => (
  <Step title={answer === "more" ? "How alerts work" : "Alerts on this device"}>
    {answer === "more" ? (
      <ul className="grid list-disc gap-1 ps-5 text-muted">
        <li>An alert shows the app’s name. The question stays off your lock screen unless you turn that on.</li>
        <li>Each app alerts you at most once in ten minutes. You can set quiet hours.</li>
        <li>Once you answer, the alert disappears from all your devices.</li>
      </ul>
    ) : (
      <p className="text-muted">
        {answer === "later"
          ? "Alerts are off. You can turn them on any time."
          : "Know when an app asks, even when Countersign is closed. Your browser will ask for permission."}
      </p>
    )}
    {answer === "later" ? (
      <LinkLine href="/settings/alerts">Alerts in Settings</LinkLine>
    ) : (
      <>
        <LazyTurnOn
          ownerId={ownerId}
          publicKey={vapidKeys().publicKey}
          known={false}
          whenOn={<Done>Alerts are on in this browser</Done>}
        />
        <NeedsScripts />
      </>
    )}
  </Step>
);

/** Shown where a button needs scripts. */
const NeedsScripts = () => (
  <noscript>
    <p className="text-muted">Sending a test needs JavaScript.</p>
  </noscript>
);

const Step = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <li className="grid grid-cols-1 justify-items-start gap-2 py-4">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </li>
);

const Done = ({ children }: { children: React.ReactNode }) => (
  <p className="flex items-center gap-1.5 font-medium text-ink">
    <CheckIcon className="size-4" />
    {children}
  </p>
);
