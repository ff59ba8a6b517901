import Link from "next/link";
import { AccountsForm } from "@/components/grants/accounts-form";
import { ScopeSwitches } from "@/components/grants/scope-switches";
import { TokenList } from "@/components/grants/token-list";
import { Page } from "@/components/layout/page";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { TimeAgo } from "@/components/ui/time-ago";
import { getGrant } from "@/lib/grants/grants";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { scopes, sensitiveScopes } from "@/lib/scopes";
import { requireOwner } from "@/lib/web/session";
import { orNotFound } from "../../or-not-found";
import { endToken, revoke, share, takeBack } from "../actions";

export const metadata = { title: "Connected app" };

export default async function ConnectedApp({ params }: { params: Promise<{ clientId: string }> }) {
  const owner = await requireOwner();
  const { clientId } = await params;
  const grant = await orNotFound(getGrant(owner, clientId));
  const accounts = (await linkedAccounts(owner)).filter(({ status }) => status !== "disconnected");
  const allowed = grant.scopes.map((each) => ({
    ...each,
    sentence: scopes[each.scope].sentence,
    sensitive: sensitiveScopes.has(each.scope),
  }));
  return (
    <Page>
      <PageHeader
        title={grant.name}
        back={{ href: "/apps", label: "Connected apps" }}
        actions={
          <ConfirmButton
            action={revoke}
            fields={{ clientId }}
            label="Revoke access"
            question={`Revoke all access of ${grant.name}?`}
          >
            Its next call is refused, and it can no longer read your answers. What it asked stays in your history.
          </ConfirmButton>
        }
      />
      <div className="grid gap-5">
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
                ) : (
                  "No redirect address: it uses tokens you made"
                ),
              ],
              ["Connected", <TimeAgo key="since" at={grant.grantedAt} />],
              ["Last used", grant.lastUsedAt ? <TimeAgo key="used" at={grant.lastUsedAt} /> : "Never"],
              ["Ends", grant.expiresAt ? <TimeAgo key="ends" at={grant.expiresAt} /> : "When you revoke it"],
            ]}
          />
        </Card>
        <Card title="What it may do">
          <ScopeSwitches action={takeBack} clientId={clientId} scopes={allowed} />
        </Card>
        <Card title="Linked accounts it can see">
          <AccountsForm action={share} clientId={clientId} accounts={accounts} shared={grant.integrationIds} />
        </Card>
        <Card title="Tokens">
          <TokenList action={endToken} tokens={grant.tokens} />
        </Card>
        <p>
          <Link href={`/activity?app=${clientId}`} className="link inline-flex min-h-11 items-center">
            Activity of this app
          </Link>
        </p>
      </div>
    </Page>
  );
}
