import { AccountRow } from "@/components/integrations/account-row";
import { RowKeys } from "@/components/keys/row-keys";
import { Page } from "@/components/layout/page";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Integrations" };

export default async function Integrations() {
  const accounts = await linkedAccounts(await requireOwner());
  const linked = accounts.filter(({ status }) => status !== "disconnected");
  const removed = accounts.filter(({ status }) => status === "disconnected");
  return (
    <Page>
      <PageHeader
        title="Integrations"
        lead="Your accounts elsewhere, and which of your apps can see that you have them."
      />
      {linked.length === 0 ? (
        <EmptyState title="No accounts linked yet.">
          An account linked here shows its provider and address, whether it works and who has to act next, what kinds of
          data you granted, and which connected apps can see it. Apps never receive its passwords or tokens.
        </EmptyState>
      ) : (
        <ul className="grid gap-3">
          {linked.map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
        </ul>
      )}
      {removed.length > 0 ? (
        <details className="mt-6">
          <summary className="inline-flex min-h-11 items-center font-medium text-muted underline underline-offset-3">
            Removed in the last 30 days ({removed.length})
          </summary>
          <ul className="mt-2 grid gap-3">
            {removed.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </ul>
        </details>
      ) : null}
      <RowKeys name="Integrations" row="account" />
    </Page>
  );
}
