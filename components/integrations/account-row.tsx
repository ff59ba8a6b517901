import { Link } from "@/components/ui/link";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import { plural } from "@/lib/text/plural";
import { StatusBadge, StatusLine } from "./account-status";
import { bucketsAmong, kinds, kindWords, nameOf, tested, verbs } from "./account-text";
import { ProviderMark } from "./provider-icons";
import { StartLink } from "./start-account-link";
import { TestConnection } from "./test-connection";

type AccountRowProps = { account: LinkedAccount };

/**
 * One linked account in the list: its status, shared data, the apps that see it, and its actions.
 */
export function AccountRow({ account }: AccountRowProps) {
  const { id, provider, providerName, email, label, status, failing, ready } = account;
  const gone = status === "disconnected";
  const again = (status === "needs_reauth" || gone) && ready;
  return (
    <li
      data-account
      data-keyed-row
      className="relative flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl p-3 hover:bg-fill compact:py-2"
    >
      <ProviderMark provider={provider} name={providerName} className="size-9 self-start" />
      <div className="grid min-w-0 grow basis-52 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2">
          <h2 className="text-sm">
            <Link href={`/integrations/${id}`} data-row className="before:absolute before:inset-0 before:rounded-xl">
              <bdi>{nameOf(account)}</bdi>
            </Link>
          </h2>
          <StatusBadge status={status} />
        </div>
        <p className="text-muted">
          {label ? (
            <>
              <bdi>{email}</bdi> ·{" "}
            </>
          ) : null}
          {providerName}
        </p>
        <StatusLine account={account} />
        <div className="flex flex-wrap gap-x-5 text-muted">
          <DataTypes account={account} />
          {gone ? null : (
            <p>
              <SeenBy account={account} />
            </p>
          )}
        </div>
      </div>
      <div className="relative flex flex-wrap items-center gap-2 empty:hidden max-sm:grid max-sm:w-full">
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
        {status === "error" || (status === "connected" && failing) ? (
          <TestConnection account={tested(account)} />
        ) : null}
      </div>
    </li>
  );
}

/** The apps that see an account: "Visible to 2 apps: Mail helper, Household ledger". */
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

/**
 * Data types with their permissions: first the granted ones, then those that were requested but not
 * granted.
 */
function DataTypes({
  account: { buckets, granted, missing },
}: {
  account: Pick<LinkedAccount, "buckets" | "granted" | "missing">;
}) {
  const types = [
    ...buckets.map((bucket) => ({ bucket, words: kindWords(bucket, granted), lacks: false })),
    ...bucketsAmong(missing).map((bucket) => ({
      bucket,
      words: `${kinds[bucket]} · missing: ${verbs(bucket, missing)}`,
      lacks: true,
    })),
  ];
  return (
    <ul aria-label="Types of data" className="flex flex-wrap gap-x-3">
      {types.map(({ bucket, words, lacks }) => (
        <li key={`${bucket}${lacks}`} className={lacks ? "text-warn" : ""}>
          {words}
        </li>
      ))}
    </ul>
  );
}
