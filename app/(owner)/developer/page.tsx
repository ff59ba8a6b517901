import { AppSteps } from "@/components/apps/app-setup-steps";
import { RegisterForm } from "@/components/apps/register-app-form";
import { TryIt } from "@/components/apps/test-request-form";
import { WithConsentPreview } from "@/components/apps/with-consent-preview";
import { RowKeys } from "@/components/keyboard/row-keys";
import { Page } from "@/components/layout/page";
import { FreshForms } from "@/components/owners/disabled-until-sign-in";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { AppIcon } from "@/components/ui/app-icon";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DescriptionList } from "@/components/ui/description-list";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { Link } from "@/components/ui/link";
import { ButtonLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { listApps, maxApps } from "@/lib/apps/apps";
import type { RegisteredApp } from "@/lib/apps/schema";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { appHues } from "@/lib/grants/connected-and-former-apps";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { type ArrivalSearch, backToApprovals } from "../back-to-approvals";
import { scopeFormEntries } from "./scope-options";

export const metadata = { title: "Developer" };

/** The form's entries for all scopes. The scopes that most apps request are selected. */
const usual = scopeFormEntries({ "approvals:write": { required: false }, "approvals:read": { required: false } });

export default async function Developer({ searchParams }: { searchParams: ArrivalSearch }) {
  const owner = await requireOwner();
  const [apps, hues] = await Promise.all([listApps(owner), appHues(owner)]);
  const { publicUrl } = env();
  return (
    <Page
      title="Developer"
      back={await backToApprovals(searchParams)}
      actions={
        <div className="flex flex-wrap gap-2">
          <ButtonLink href="/developer/requests" size="small" variant="quiet">
            Requests
          </ButtonLink>
          <a href="/docs" className={buttonClass({ size: "small", variant: "quiet" })}>
            API documentation
          </a>
        </div>
      }
    >
      {apps.length === 0 ? <AppSteps done={0} /> : null}
      <div className="grid gap-5">
        {apps.length > 0 ? (
          <Card title="Your apps">
            <ul className="-mx-2">
              {apps.map((app) => (
                <AppRow key={app.clientId} app={app} hue={hues.get(app.clientId)} />
              ))}
            </ul>
          </Card>
        ) : null}
        <Card title="Register an app">
          {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
          <WithConsentPreview
            app={{ name: "", redirectUri: "", registrar: owner.name, registeredAt: clock.now() }}
            scopes={usual}
          >
            <FreshForms fresh={owner.fresh}>
              <RegisterForm scopes={usual} full={apps.length < maxApps ? undefined : maxApps} />
            </FreshForms>
          </WithConsentPreview>
        </Card>
        <Card title="Test Countersign">
          <TryIt baseUrl={publicUrl} />
        </Card>
        <Disclosure label="Apps that register themselves" className="px-4 sm:px-5">
          <p className="my-2 text-muted">
            An app can register itself, or identify itself with a client metadata document.
          </p>
          <DescriptionList
            of={{
              "Service address": <code className="mono break-all">{publicUrl}</code>,
              "Registration endpoint": <code className="mono break-all">{`POST ${publicUrl}/oauth/register`}</code>,
              "Metadata document": (
                <>
                  The document’s HTTPS URL is the app’s <code className="mono">client_id</code>
                </>
              ),
            }}
          />
        </Disclosure>
      </div>
      <RowKeys name="Developer" row="app" />
    </Page>
  );
}

function AppRow({ app, hue }: { app: RegisteredApp; hue: number | undefined }) {
  return (
    <li>
      <Link
        href={`/developer/${app.clientId}`}
        data-row
        className="flex min-h-14 items-center gap-3 rounded-lg px-2 py-2 compact:min-h-11 compact:py-1 hover:bg-fill"
      >
        <AppIcon name={app.name} hue={hue} />
        <span className="min-w-0 grow">
          <span className="block font-medium">
            <bdi>{app.name}</bdi>
          </span>
          <span className="block text-muted">
            {app.public ? "On a device" : "On a server"} · registered <TimeAgo at={app.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}
