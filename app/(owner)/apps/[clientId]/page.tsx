import Link from "next/link";
import { AccountsForm } from "@/components/grants/accounts-form";
import { AppWarnings } from "@/components/grants/app-warnings";
import { Attention } from "@/components/grants/attention";
import { duration } from "@/components/grants/duration";
import { RevokeButton } from "@/components/grants/revoke-button";
import { ScopeSwitches } from "@/components/grants/scope-switches";
import { TokenList } from "@/components/grants/token-list";
import { BackKey } from "@/components/keys/back-key";
import { KeysHeading } from "@/components/keys/shortcut";
import { Page } from "@/components/layout/page";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { readAppChoice } from "@/lib/grants/app-choices";
import { readAppFacts, readTroubles } from "@/lib/grants/app-facts";
import { getGrant } from "@/lib/grants/grants";
import type { AppFacts } from "@/lib/grants/schema";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { scopes, sensitiveScopes } from "@/lib/scopes";
import { requireOwner } from "@/lib/web/session";
import { orNotFound } from "../../or-not-found";
import { choose, chooseLockScreen, chooseType, endToken, revoke, share, takeBack } from "../actions";

export const metadata = { title: "Connected app" };

export default async function ConnectedApp({ params }: { params: Promise<{ clientId: string }> }) {
  const owner = await requireOwner();
  const { clientId } = await params;
  const grant = await orNotFound(getGrant(owner, clientId));
  const [linked, facts, troubles, choice] = await Promise.all([
    linkedAccounts(owner),
    readAppFacts(owner, clientId),
    readTroubles(owner),
    readAppChoice(owner, clientId),
  ]);
  const accounts = linked
    .filter(({ status }) => status !== "disconnected")
    .map(({ id, email, label, providerName }) => ({ id, email, provider: providerName, ...(label && { label }) }));
  const allowed = grant.scopes.map((each) => ({
    ...each,
    sentence: scopes[each.scope].sentence,
    sensitive: sensitiveScopes.has(each.scope),
  }));
  return (
    <KeysHeading name="Connected app">
      <Page>
        <PageHeader
          title={grant.name}
          back={{ href: "/apps", label: "Connected apps" }}
          actions={<RevokeButton action={revoke} clientId={clientId} name={grant.name} label="Revoke access" />}
        />
        <BackKey href="/apps" />
        <div className="grid gap-5">
          <AppWarnings
            grant={grant}
            trouble={troubles.get(clientId)}
            facts={facts}
            wanted={grant.wanted.map((scope) => scopes[scope].sentence)}
          />
          <Card>
            <Facts
              items={[
                ...(grant.clientHost
                  ? [
                      [
                        "Speaks for",
                        <span key="client" className="mono">
                          {grant.clientHost}
                        </span>,
                      ] as const,
                    ]
                  : []),
                ...(grant.kind === "dynamic"
                  ? [
                      [
                        "Registered",
                        <span key="registered">
                          <TimeAgo at={grant.registeredAt} /> by itself; its name is its own choice
                        </span>,
                      ] as const,
                    ]
                  : []),
                [
                  "Answers go to",
                  grant.host ? (
                    <span key="host" className="mono">
                      {grant.host}
                    </span>
                  ) : grant.kind === "test" ? (
                    "You: it is our own test app"
                  ) : (
                    "No redirect address: it uses tokens you made"
                  ),
                ],
                ["Questions", questions(facts)],
                ["Connected", <TimeAgo key="since" at={grant.grantedAt} />],
                ["Last used", grant.lastUsedAt ? <TimeAgo key="used" at={grant.lastUsedAt} /> : "Never"],
                ["Ends", grant.expiresAt ? <TimeAgo key="ends" at={grant.expiresAt} /> : "When you revoke it"],
              ]}
            />
          </Card>
          <Card title="What it may do">
            <ScopeSwitches action={takeBack} clientId={clientId} scopes={allowed} />
          </Card>
          <Card title="How much of your attention it gets">
            <Attention {...{ clientId, choice, choose, chooseType, chooseLockScreen }} types={facts.types} />
          </Card>
          <Card title="Linked accounts it can see">
            <AccountsForm action={share} clientId={clientId} accounts={accounts} shared={grant.integrationIds} />
          </Card>
          <Card title={grant.tokens.length > 0 ? `Tokens (${grant.tokens.length})` : "Tokens"}>
            <TokenList action={endToken} tokens={grant.tokens} />
          </Card>
          <p className="flex flex-wrap gap-x-6">
            <Link href={`/activity?app=${clientId}`} className="link inline-flex min-h-11 items-center">
              Activity of this app
            </Link>
            <Link href={`/approvals?app=${clientId}`} className="link inline-flex min-h-11 items-center">
              Its open questions
            </Link>
          </p>
        </div>
      </Page>
    </KeysHeading>
  );
}

/** "14 in 30 days; half of your 12 answers took less than 3 min": how fast one answers tells whether one reads. */
function questions({ asked, answered, medianMs }: AppFacts): string {
  if (asked === 0) return "None in 30 days";
  const count = asked === 1000 ? "1,000 or more in 30 days" : `${asked} in 30 days`;
  if (medianMs === undefined) return `${count}, none answered by you`;
  return `${count}, answered by you ${answered === 1 ? "once" : `${answered} times`}, median answer ${duration(medianMs)}`;
}
