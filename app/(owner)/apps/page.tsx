import { AppRow } from "@/components/grants/app-row";
import { EndedApps } from "@/components/grants/ended-apps";
import { RowKeys } from "@/components/keys/row-keys";
import { KeysHeading } from "@/components/keys/shortcut";
import { Page } from "@/components/layout/page";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { readAppChoices } from "@/lib/grants/app-choices";
import { listEnded, readTroubles } from "@/lib/grants/app-facts";
import { listGrants } from "@/lib/grants/grants";
import { requireOwner } from "@/lib/web/session";
import { revoke } from "./actions";

export const metadata = { title: "Connected apps" };

export default async function Apps() {
  const owner = await requireOwner();
  const [grants, troubles, choices, ended] = await Promise.all([
    listGrants(owner),
    readTroubles(owner),
    readAppChoices(owner),
    listEnded(owner),
  ]);
  return (
    <KeysHeading name="Connected apps">
      <Page>
        <PageHeader title="Connected apps" lead="Who may do what with your account. What you revoke stops at once." />
        <RowKeys name="Connected apps" row="app" />
        {grants.length === 0 ? (
          <EmptyState title="No app is connected" action={<ButtonLink href="/developer">Register an app</ButtonLink>}>
            An app appears here once you allow it something, on the consent screen or with a personal token.
          </EmptyState>
        ) : (
          <ul className="grid gap-3">
            {grants.map((grant) => (
              <AppRow
                key={grant.clientId}
                grant={grant}
                strange={troubles.has(grant.clientId)}
                muted={choices.get(grant.clientId)?.questionsMuted ?? false}
                revoke={revoke}
              />
            ))}
          </ul>
        )}
        <EndedApps apps={ended} />
      </Page>
    </KeysHeading>
  );
}
