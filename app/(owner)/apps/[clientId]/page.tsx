import { orNotFound } from "@/app/or-not-found";
import { FreezeAppCard } from "@/components/freeze/freeze-app-card";
import { AccountsForm, TokenList } from "@/components/grants/accounts-and-tokens";
import { AppPreferencesForm } from "@/components/grants/app-preferences";
import { AppWarnings } from "@/components/grants/connected-app-warnings";
import { GrantedScopes } from "@/components/grants/granted-scopes";
import { withoutRedirect } from "@/components/grants/how-app-connected";
import { RevokeButton } from "@/components/grants/revoke-button";
import { BackKey } from "@/components/keyboard/row-keys";
import { KeysHeading } from "@/components/keyboard/use-shortcut";
import { Page } from "@/components/layout/page";
import { Card } from "@/components/ui/card";
import { DescriptionList } from "@/components/ui/description-list";
import { Link } from "@/components/ui/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { type AppStats, readAppStats } from "@/lib/activity/app-stats";
import { readAppAnomalies } from "@/lib/events/app-anomalies";
import { readAppPreferences } from "@/lib/grants/app-preferences";
import { getGrant } from "@/lib/grants/grants";
import { restorableScopes } from "@/lib/grants/revoke-scope";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { openRequest } from "@/lib/oauth/consent";
import { lensUrl } from "@/lib/owners/passkeys/answer-origins";
import { allows, scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";
import { countText } from "@/lib/text/plural";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "App" };

export default async function ConnectedApp({ params }: { params: Promise<{ clientId: string }> }) {
  const owner = await requireOwner();
  const { clientId } = await params;
  const grant = await orNotFound(getGrant(owner, clientId));
  const [linked, facts, request, troubles, choice, taken] = await Promise.all([
    linkedAccounts(owner),
    readAppStats(owner, clientId),
    openRequest(owner, clientId),
    readAppAnomalies(owner),
    readAppPreferences(owner, clientId),
    restorableScopes(owner, clientId),
  ]);
  const accounts = linked
    .filter(({ status }) => status !== "disconnected")
    .map(({ id, email, label, providerName }) => ({ id, email, provider: providerName, ...(label && { label }) }));
  const allowed = scopeNames.flatMap((scope) =>
    [...grant.scopes, ...taken]
      .filter((it) => it.scope === scope)
      .map((it) => ({ ...it, sentence: scopes[scope].sentence, sensitive: sensitiveScopes.has(scope) })),
  );
  // The service's own app has no access to revoke.
  const isOurs = grant.kind === "test";
  const wanted = grant.wanted.filter((scope) => !taken.some((it) => it.scope === scope));
  return (
    <KeysHeading name="App">
      <Page
        title={grant.name}
        back={{ href: "/apps", label: "Apps" }}
        actions={isOurs ? null : <RevokeButton clientId={clientId} name={grant.name} label="Revoke access" />}
      >
        <BackKey href="/apps" />
        <div className="grid gap-5">
          <AppWarnings
            grant={grant}
            trouble={troubles.get(clientId)}
            openRequest={request}
            wanted={wanted.map((scope) => scopes[scope].sentence)}
          />
          <Card>
            <AppFacts grant={grant} questions={questions(facts)} />
          </Card>
          {isOurs ? null : (
            <Card title="Permissions">
              <GrantedScopes clientId={clientId} name={grant.name} scopes={allowed} />
            </Card>
          )}
          <Card title="Preferences">
            <AppPreferencesForm
              clientId={clientId}
              choice={choice}
              types={facts.types}
              hasLens={lensUrl() !== undefined}
            />
          </Card>
          {isOurs ? null : (
            <>
              <Card title="Linked accounts this app can see">
                <AccountsForm clientId={clientId} accounts={accounts} shared={grant.integrationIds} />
              </Card>
              <Card title={grant.tokens.length > 0 ? `Tokens (${grant.tokens.length})` : "Tokens"}>
                <TokenList tokens={grant.tokens.map((token) => ({ ...token, can: allows(token.scopes) }))} />
              </Card>
            </>
          )}
          <FreezeAppCard clientId={clientId} frozen={grant.frozen ?? false} />
          <p className="flex flex-wrap gap-x-6">
            <Link href={`/activity?app=${clientId}`} className="link inline-flex min-h-11 items-center">
              This app’s activity
            </Link>
            <Link href={`/approvals?app=${clientId}`} className="link inline-flex min-h-11 items-center">
              Pending questions from this app
            </Link>
          </p>
        </div>
      </Page>
    </KeysHeading>
  );
}

const AppFacts = ({ grant, questions }: { grant: Awaited<ReturnType<typeof getGrant>>; questions: string }) => (
  <DescriptionList
    of={{
      Website: grant.clientHost ? <span className="mono">{grant.clientHost}</span> : undefined,
      Registered:
        grant.kind === "dynamic" ? (
          <span>
            By the app itself <TimeAgo at={grant.registeredAt} /> · unverified
          </span>
        ) : undefined,
      "Redirects to": grant.host ? <span className="mono">{grant.host}</span> : undefined,
      "Connected through": grant.host
        ? undefined
        : grant.kind === "test"
          ? "This service"
          : withoutRedirect(grant.tokens),
      Questions: questions,
      Connected: <TimeAgo at={grant.grantedAt} />,
      "Last used": grant.kind === "test" ? undefined : grant.lastUsedAt ? <TimeAgo at={grant.lastUsedAt} /> : "Never",
      "Access ends":
        grant.kind === "test" ? undefined : grant.expiresAt ? (
          <TimeAgo at={grant.expiresAt} />
        ) : (
          "When you revoke access"
        ),
    }}
  />
);

/**
 * Summarizes an app's questions: "14 in the last 30 days, 12 answered, typically after 3 min". A
 * very short response time suggests that the owner doesn't read the questions.
 */
function questions({ asked, answered, medianMs }: AppStats): string {
  if (asked === 0) return "None in the last 30 days";
  const count = asked === 1000 ? `${countText(asked)} or more in the last 30 days` : `${asked} in the last 30 days`;
  if (medianMs === undefined) return `${count}, none answered`;
  return `${count}, ${answered} answered, typically after ${duration(medianMs).replace(" ", "\u00a0")}`;
}

/** Formats a short duration: "40 s", "3 min", "2 h", "5 d". @param ms milliseconds */
function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
