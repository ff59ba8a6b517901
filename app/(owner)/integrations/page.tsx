import { AccountRow } from "@/components/integrations/account-row";
import { nameOf } from "@/components/integrations/account-text";
import { UndoRemoval } from "@/components/integrations/undo-account-removal";
import { RowKeys } from "@/components/keyboard/row-keys";
import { KeysHeading } from "@/components/keyboard/use-shortcut";
import { Page } from "@/components/layout/page";
import { EmptyState } from "@/components/ui/empty-state";
import { ButtonLink, TextLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { linkedAccounts, type PendingLink, pendingLinks } from "@/lib/integrations/accounts";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Integrations" };

export default async function Integrations() {
  const owner = await requireOwner();
  const [accounts, way] = await Promise.all([linkedAccounts(owner), pendingLinks(owner)]);
  const linked = accounts.filter(({ status }) => status !== "disconnected");
  const removed = accounts.filter(({ status }) => status === "disconnected");
  const link = (
    <ButtonLink href="/integrations/link" variant="primary" size="small">
      Link an account
    </ButtonLink>
  );
  return (
    <KeysHeading name="Integrations">
      <Page
        title="Integrations"
        lead={
          <>
            Review the accounts you linked and the <TextLink href="/apps">apps</TextLink> that can see them.
          </>
        }
        actions={linked.length > 0 ? link : null}
      >
        <RowKeys name="Integrations" row="account" />
        {removed.map((account) =>
          account.undoMs ? (
            <UndoRemoval key={account.id} id={account.id} name={nameOf(account)} leftMs={account.undoMs} />
          ) : null,
        )}
        {way ? <Connecting way={way} /> : null}
        {linked.length === 0 ? (
          <EmptyState title="No accounts linked yet" action={link}>
            Apps you choose can see an account’s email, provider, status and types of data, but never its password or
            contents.
          </EmptyState>
        ) : (
          <ul className="-mx-3 grid gap-1">
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
            <ul className="-mx-3 mt-2 grid gap-1">
              {removed.map((account) => (
                <AccountRow key={account.id} account={account} />
              ))}
            </ul>
          </details>
        ) : null}
      </Page>
    </KeysHeading>
  );
}

/** Shown while a link attempt is open: the owner left for the provider and has not returned. */
const Connecting = ({ way: { provider, providerName, since } }: { way: PendingLink }) => (
  <p className="mb-4 rounded-lg bg-pane forced-colors:border px-4 py-3">
    You started linking your {providerName} account <TimeAgo at={since} />. A link attempt expires after ten minutes.{" "}
    <TextLink href={`/integrations/link/${provider}`}>Start again</TextLink>
  </p>
);
