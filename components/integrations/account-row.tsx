import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import { plural } from "@/lib/text/plural";
import { bucketsAmong, kinds, kindWords, nameOf, tested, verbs } from "./account-text";
import { ProviderMark } from "./provider-icons";
import { StartLink } from "./start-link";
import { StatusBadge, StatusLine } from "./status";
import { TestNow } from "./test-now";

type AccountRowProps = { account: LinkedAccount };

/**
 * One linked account in the list: its status, shared data, the apps that see it, and its actions.
 */
export function AccountRow({ account }: AccountRowProps) {
  const { id, provider, providerName, email, label, status, linkedAt, ready } = account;
  const gone = status === "disconnected";
  const again = (status === "needs_reauth" || gone) && ready;
  return (
    <li
      data-account
      data-keyed-row
      className={`relative rounded-xl border bg-raised p-4 hover:bg-fill sm:px-5 compact:py-3 ${status === "needs_reauth" ? "border-warn" : "border-line"}`}
    >
      <div className="flex items-start gap-3">
        <ProviderMark provider={provider} name={providerName} className="size-9" />
        <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
          <div className="min-w-0">
            <h2 className="text-base">
              <Link href={`/integrations/${id}`} data-row className="before:absolute before:inset-0 before:rounded-xl">
                <bdi>{nameOf(account)}</bdi>
              </Link>
            </h2>
            <p className="text-muted">
              {label ? (
                <>
                  <bdi>{email}</bdi> ·{" "}
                </>
              ) : null}
              {providerName}
            </p>
          </div>
          <StatusBadge status={status} />
        </div>
      </div>
      <div className="mt-2.5 grid items-end gap-x-4 gap-y-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:ps-12">
        <div className="grid min-w-0 gap-2.5">
          <StatusLine account={account} />
          <KindChips account={account} />
          <p className="text-xs text-muted">
            {gone ? null : (
              <>
                <SeenBy account={account} />
                {" · "}
              </>
            )}
            Linked <TimeAgo at={linkedAt} />
          </p>
        </div>
        <div className="relative grid justify-items-stretch gap-2 sm:justify-items-end">
          {again ? (
            <StartLink
              account={account}
              access={account.asks}
              keyed
              size="small"
              variant={gone ? "secondary" : "primary"}
              className="max-sm:min-h-12!"
            >
              Reconnect
            </StartLink>
          ) : null}
          {status === "connected" || status === "error" ? <TestNow account={tested(account)} /> : null}
        </div>
      </div>
    </li>
  );
}

/** "Visible to 2 apps: Mail helper, Household ledger" */
function SeenBy({ account: { id, seenBy } }: Pick<AccountRowProps, "account">) {
  const named = seenBy.slice(0, 3);
  if (named.length === 0) return "Not visible to any app";
  return (
    <>
      Visible to {plural(seenBy.length, { one: "# app", other: "# apps" })}:{" "}
      {named.map(({ appId, name }, index) => (
        <span key={appId}>
          {index > 0 ? ", " : ""}
          <Link href={`/apps/${appId}`} className="link relative">
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      {seenBy.length > named.length ? (
        <>
          {" "}
          <Link href={`/integrations/${id}#apps`} className="link relative">
            and {seenBy.length - named.length} more
          </Link>
        </>
      ) : null}
    </>
  );
}

/** Data types with their permissions: granted ones first, then those requested but not granted. */
function KindChips({ account }: { account: Pick<LinkedAccount, "buckets" | "granted" | "missing"> }) {
  const { buckets, granted, missing } = account;
  return (
    <ul aria-label="Types of data" className="flex flex-wrap gap-1.5">
      {buckets.map((bucket) => (
        <li key={bucket}>
          <Badge>{kindWords(bucket, granted)}</Badge>
        </li>
      ))}
      {bucketsAmong(missing).map((bucket) => (
        <li key={bucket}>
          <span className="inline-flex items-center rounded-md border border-dashed border-warn px-1.5 py-px text-xs font-medium text-warn">
            {kinds[bucket]} · {verbs(bucket, missing)} not granted
          </span>
        </li>
      ))}
    </ul>
  );
}
