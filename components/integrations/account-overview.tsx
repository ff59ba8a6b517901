import { Card } from "@/components/ui/card";
import { DescriptionList } from "@/components/ui/description-list";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { AccountDetails } from "@/lib/integrations/accounts";
import { StatusBadge, StatusLine } from "./account-status";
import { tested } from "./account-text";
import { ProviderMark } from "./provider-icons";
import { StartLink } from "./start-account-link";
import { TestConnection } from "./test-connection";

/** One account's identity, status and next step, and the available actions. */
export function AccountOverview({ account }: { account: AccountDetails }) {
  const { provider, providerName, email, accountName, status, ready, asks } = account;
  const gone = status === "disconnected";
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-center gap-3">
          <ProviderMark provider={provider} name={providerName} className="size-10" />
          <div className="min-w-0">
            <p className="font-semibold">{providerName}</p>
            <p className="text-muted">
              <bdi>{email}</bdi>
            </p>
          </div>
        </div>
        <StatusBadge status={status} />
      </div>
      <div className="mt-3">
        <StatusLine account={account} />
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3 empty:hidden max-sm:grid">
        {ready && (gone || status === "needs_reauth") ? (
          <StartLink account={account} access={asks} keyed variant="primary" className="max-sm:min-h-12">
            Reconnect
          </StartLink>
        ) : null}
        {gone ? null : <TestConnection account={tested(account)} position="after" />}
        {ready && (status === "connected" || status === "error") ? (
          <StartLink account={account} access={asks} keyed size="small" variant="quiet" className="max-sm:min-h-12!">
            Reconnect
          </StartLink>
        ) : null}
      </div>
      <div className="mt-4">
        <DescriptionList
          of={{
            "Account name": accountName ? <bdi>{accountName}</bdi> : undefined,
            Linked: <TimeAgo at={account.linkedAt} />,
            "Access last renewed": time(account.refreshedAt),
          }}
        />
      </div>
    </Card>
  );
}

const time = (at: number | undefined) => (at === undefined ? undefined : <TimeAgo at={at} />);
