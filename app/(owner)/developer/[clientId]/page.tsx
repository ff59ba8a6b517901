import { orNotFound } from "@/app/or-not-found";
import { AppSteps } from "@/components/apps/app-setup-steps";
import { SecretForm } from "@/components/apps/client-secret-form";
import { DeclaredForm, RedirectsForm } from "@/components/apps/edit-app-forms";
import { TokenForm } from "@/components/apps/personal-token-form";
import { WithConsentPreview } from "@/components/apps/with-consent-preview";
import { Page } from "@/components/layout/page";
import { FreshForms } from "@/components/owners/disabled-until-sign-in";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { CopyButton } from "@/components/ui/copy-button";
import { DescriptionList } from "@/components/ui/description-list";
import { ButtonLink, PlainLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { EndpointList } from "@/components/webhooks/endpoint-list";
import { getApp } from "@/lib/apps/apps";
import { env } from "@/lib/config/env";
import { listGrants } from "@/lib/grants/grants";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { listEndpoints, maxEndpoints } from "@/lib/webhooks/endpoints";
import { scopeFormEntries } from "../scope-options";

export const metadata = { title: "App" };

export default async function DeveloperApp({ params }: { params: Promise<{ clientId: string }> }) {
  const owner = await requireOwner();
  const { clientId } = await params;
  const app = await orNotFound(getApp(owner, clientId));
  const grant = (await listGrants(owner)).find((each) => each.clientId === clientId);
  const lines = scopeFormEntries(app.declaredScopes);
  return (
    <Page
      title={app.name}
      back={{ href: "/developer", label: "Developer" }}
      actions={
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={`/developer/requests?app=${clientId}`}>Requests</ButtonLink>
          {grant ? <ButtonLink href={`/apps/${clientId}`}>Review access</ButtonLink> : null}
        </div>
      }
    >
      {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
      {grant?.lastUsedAt ? null : <AppSteps done={grant ? 2 : 1} />}
      <div className="grid gap-5">
        <Card>
          <DescriptionList
            of={{
              "Client ID": (
                <span className="flex flex-wrap items-center gap-2">
                  <span className="mono">{clientId}</span>
                  <CopyButton text={clientId} variant="quiet" />
                </span>
              ),
              "App type": app.public
                ? "On a device (public client, no secret)"
                : "On a server (confidential client, with a secret)",
              Registered: <TimeAgo at={app.createdAt} />,
            }}
          />
        </Card>
        <Card title="Create a personal token">
          <p className="mb-4 max-w-[68ch] text-muted">Scripts with a personal token don’t need a consent screen.</p>
          <FreshForms fresh={owner.fresh}>
            <TokenForm
              clientId={clientId}
              scopes={lines.map(({ requested, ...line }) => ({ ...line, selected: requested }))}
              baseUrl={env().publicUrl}
            />
          </FreshForms>
        </Card>
        <Card title="Browser sign-in (OAuth)">
          <FreshForms fresh={owner.fresh}>
            <div className="grid gap-6">
              <RedirectsForm clientId={clientId} redirectUris={app.redirectUris} />
              {app.public ? null : <SecretForm app={app} />}
            </div>
          </FreshForms>
        </Card>
        <Webhooks clientId={clientId} endpoints={await listEndpoints(owner, clientId)} />
        <ConsentScreen app={app} registrar={owner.name} lines={lines} fresh={owner.fresh} />
        <DeleteApp app={app} fresh={owner.fresh} />
      </div>
    </Page>
  );
}

type WebhooksProps = { clientId: string; endpoints: Awaited<ReturnType<typeof listEndpoints>> };

const Webhooks = ({ clientId, endpoints }: WebhooksProps) => (
  <Card id="webhooks" title="Webhooks">
    <p className="max-w-[68ch] text-muted">
      Countersign sends your server answers and other events that owners allow the app to read. Countersign signs every
      event and makes up to ten delivery attempts over three days.{" "}
      <PlainLink href="/docs/webhooks">How to receive webhooks</PlainLink>
    </p>
    {endpoints.length > 0 ? <EndpointList endpoints={endpoints} /> : null}
    <p className="mt-3">
      {endpoints.length < maxEndpoints ? (
        <ButtonLink href={`/developer/${clientId}/webhooks/new`} size="small">
          Add a webhook
        </ButtonLink>
      ) : (
        `An app can have at most ${maxEndpoints} webhooks. To add a webhook, remove another one.`
      )}
    </p>
  </Card>
);

type AppProps = { app: Awaited<ReturnType<typeof getApp>>; fresh: boolean };
type ConsentScreenProps = AppProps & { registrar: string; lines: ReturnType<typeof scopeFormEntries> };

const ConsentScreen = ({ app, registrar, lines, fresh }: ConsentScreenProps) => (
  <Card title="Consent screen">
    <p className="max-w-[68ch] text-muted">
      Choose the app’s permissions and state a reason for each. The consent screen quotes your reasons.
    </p>
    <details>
      <summary className="link inline-flex min-h-11 items-center">Change requested permissions</summary>
      <div className="mt-2">
        <WithConsentPreview
          app={{ name: app.name, redirectUri: app.redirectUris[0] ?? "", registrar, registeredAt: app.createdAt }}
          scopes={lines}
        >
          <FreshForms fresh={fresh}>
            <DeclaredForm clientId={app.clientId} scopes={lines} />
          </FreshForms>
        </WithConsentPreview>
      </div>
    </details>
  </Card>
);

const DeleteApp = ({ app: { clientId, name }, fresh }: AppProps) => (
  <Card title="Delete this app">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-[56ch] text-muted">
        If you delete the app, it immediately loses all permissions that owners gave it. The app’s questions and their
        answers are kept.
      </p>
      <FreshForms fresh={fresh}>
        <ConfirmButton act="app.delete" fields={{ clientId }} label="Delete app" question={`Delete ${name}?`}>
          The app’s tokens stop working immediately. You can’t undo the deletion.
        </ConfirmButton>
      </FreshForms>
    </div>
  </Card>
);
