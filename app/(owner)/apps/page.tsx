import { AppRow } from "@/components/grants/app-row";
import { RowKeys } from "@/components/keys/row-keys";
import { Page } from "@/components/layout/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listGrants } from "@/lib/grants/grants";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Connected apps" };

export default async function Apps() {
  const grants = await listGrants(await requireOwner());
  return (
    <Page>
      <PageHeader title="Connected apps" lead="Who may do what with your account. What you take back stops at once." />
      {grants.length === 0 ? (
        <EmptyState title="No app is connected" action={<ButtonLink href="/developer">Register an app</ButtonLink>}>
          An app appears here once you allow it something, on the consent screen or with a personal token.
        </EmptyState>
      ) : (
        <ul className="grid gap-3">
          {grants.map((grant) => (
            <AppRow key={grant.clientId} grant={grant} />
          ))}
        </ul>
      )}
      <RowKeys name="Connected apps" row="app" />
    </Page>
  );
}
