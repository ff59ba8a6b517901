import { AppSteps } from "@/components/apps/app-steps";
import { Previewed } from "@/components/apps/previewed";
import { RegisterForm } from "@/components/apps/register-form";
import { TryIt } from "@/components/apps/try-it";
import { RowKeys } from "@/components/keys/row-keys";
import { Page } from "@/components/layout/page";
import { FreshForms, SignInAgainNotice } from "@/components/owners/sign-in-again";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { ButtonLink } from "@/components/ui/links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { listApps, maxApps } from "@/lib/apps/apps";
import type { RegisteredApp } from "@/lib/apps/schema";
import { env } from "@/lib/config/env";
import { appHues } from "@/lib/grants/connected-apps";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { scopeLines } from "./scope-lines";

export const metadata = { title: "Developer" };

/** Scopes most apps request, selected by default. */
const usual = scopeLines({ "approvals:write": { required: false }, "approvals:read": { required: false } });

export default async function Developer() {
  const owner = await requireOwner();
  const [apps, hues] = await Promise.all([listApps(owner), appHues(owner)]);
  const { publicUrl } = env();
  return (
    <Page
      title="Developer"
      lead="Register apps and agents that can ask you questions."
      actions={
        <div className="flex flex-wrap gap-2">
          <ButtonLink href="/developer/requests" size="small">
            Requests
          </ButtonLink>
          <a href="/docs" className={buttonClass({ size: "small" })}>
            API documentation
          </a>
        </div>
      }
    >
      {apps.length === 0 ? <AppSteps done={0} /> : null}
      <div className="grid gap-5">
        {apps.length > 0 ? (
          <Card title="Your apps">
            <ul className="-mx-2 divide-y divide-line">
              {apps.map((app) => (
                <AppRow key={app.clientId} app={app} hue={hues.get(app.clientId)} />
              ))}
            </ul>
          </Card>
        ) : null}
        <Card title="Register an app">
          {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
          <Previewed
            app={{ name: "", redirectUri: "", registrar: owner.name, registeredAt: Date.now() }}
            scopes={usual}
          >
            <FreshForms fresh={owner.fresh}>
              <RegisterForm scopes={usual} full={apps.length < maxApps ? undefined : maxApps} />
            </FreshForms>
          </Previewed>
        </Card>
        <Card title="Try it">
          <TryIt baseUrl={publicUrl} />
        </Card>
        <Card title="Apps that register themselves">
          <p className="mb-3 text-muted">
            Many apps register themselves from our address and ask for access on the consent screen. Use any of these
            addresses.
          </p>
          <Facts
            of={{
              Address: <code className="mono break-all">{publicUrl}</code>,
              "To register": <code className="mono break-all">{`POST ${publicUrl}/oauth/register`}</code>,
              "Without registering": "The https address of its client metadata document as client_id",
            }}
          />
        </Card>
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
            Registered <TimeAgo at={app.createdAt} />
          </span>
        </span>
        <Badge>{app.public ? "On a device" : "On a server"}</Badge>
        <ChevronIcon className="size-4 text-muted" />
      </Link>
    </li>
  );
}
