import { headers } from "next/headers";
import { ActionForm } from "@/components/actions/action-form";
import { LazyTurnOn } from "@/components/alerts/lazy-turn-on-alerts";
import { AddPasskey } from "@/components/owners/lazy-add-passkey";
import { Button } from "@/components/ui/button";
import { CheckIcon } from "@/components/ui/icons";
import { ButtonLink, TextLink } from "@/components/ui/styled-links";
import { SubmitButton } from "@/components/ui/submit-button";
import { listDevices } from "@/lib/alerts/devices";
import { vapidKeys } from "@/lib/alerts/push";
import { firstAnswer } from "@/lib/approvals/service-questions/onboarding-question";
import { listPasskeys, passkeysWork } from "@/lib/owners/passkeys/passkeys";
import { listSessions } from "@/lib/owners/sessions";
import { describeDevice, isPhone } from "@/lib/owners/user-agent";
import type { SignedIn } from "@/lib/web/session-cookie";

/** Shows suggestions to new owners until they answer an app's question or hide the suggestions. */
export async function FirstSteps({ owner }: { owner: SignedIn }) {
  const [answer, passkeys, sessions, browsers] = await Promise.all([
    firstAnswer(owner),
    listPasskeys(owner),
    listSessions(owner),
    listDevices(owner),
  ]);
  const device = describeDevice((await headers()).get("user-agent") ?? "");
  const hasPhone = sessions.some((it) => isPhone(it.device));
  const done = [browsers.length > 0, ...(passkeysWork() ? [passkeys.length > 0] : []), hasPhone, false];
  return (
    <section aria-label="First steps">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3">
        <h2 tabIndex={-1} className="text-lg outline-none">
          {answer ? "Next steps" : "First steps"}
        </h2>
        <ActionForm act="setting.hide-first-steps">
          <Button type="submit" variant="quiet" size="small" className="-me-3 whitespace-nowrap">
            Hide these steps
          </Button>
        </ActionForm>
      </div>
      <p className="text-muted">Questions from your apps appear here.</p>
      <Progress done={done.filter(Boolean).length} total={done.length} />
      <ol className="mt-2 divide-y divide-line">
        <AlertsStep answer={answer} ownerId={owner.ownerId} />
        {passkeysWork() ? (
          <Step title="Passkey">
            {passkeys.length > 0 ? <Done>Passkey added</Done> : <AddPasskey name={device} />}
            <NeedsScripts />
          </Step>
        ) : null}
        <Step title="Your phone">
          {hasPhone ? (
            <Done>Signed in on a phone</Done>
          ) : (
            <ButtonLink href="/phone?from=approvals" size="small">
              Set up your phone
            </ButtonLink>
          )}
        </Step>
        <Step title="Your first app">
          <p className="text-muted">
            <TextLink href="/developer?from=approvals">Register an app</TextLink>, or send yourself a test question.
          </p>
          <ActionForm act="approval.try">
            <SubmitButton size="small">Send a test question</SubmitButton>
          </ActionForm>
        </Step>
      </ol>
    </section>
  );
}

const Progress = ({ done, total }: { done: number; total: number }) => (
  <p className="mt-4 flex items-center gap-3 text-xs text-muted tabular-nums">
    <progress
      aria-label="First steps"
      value={done}
      max={total}
      className="h-1.5 grow appearance-none overflow-hidden rounded-full bg-line forced-colors:appearance-auto [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-ink"
    />
    {done} of {total} done
  </p>
);

type AlertsStepProps = { answer: Awaited<ReturnType<typeof firstAnswer>>; ownerId: string };

/**
 * The step that turns on alerts. `answer` is the owner's answer to the service's own first
 * question.
 */
const AlertsStep = ({ answer, ownerId }: AlertsStepProps) => (
  <Step title={answer === "more" ? "How alerts work" : "Alerts in this browser"}>
    {answer === "more" ? (
      <ul className="grid list-disc gap-1 ps-5 text-muted">
        <li>By default, an alert shows the app’s name, not the question.</li>
        <li>For each app, you get at most one alert about new questions every ten minutes.</li>
        <li>After you answer, the alert disappears from all your browsers.</li>
      </ul>
    ) : null}
    {answer === "later" ? (
      <p className="text-muted">
        Alerts are off. <TextLink href="/settings/alerts?from=approvals#browsers">Turn on alerts</TextLink>
      </p>
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

/** A note that replaces the step's button in browsers without JavaScript. */
const NeedsScripts = () => (
  <noscript>
    <p className="text-muted">This step needs JavaScript.</p>
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
