import { ButtonLink } from "@/components/ui/styled-links";
import type { AccountDetails } from "@/lib/integrations/accounts";
import type { Access as AccessName, Bucket } from "@/lib/integrations/providers/access-types";
import { plural } from "@/lib/text/plural";
import { accessList, bucketOf, bucketsAmong, kinds, providerWords } from "./account-text";
import { StartLink } from "./start-account-link";

const line = "flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5";
const inKind = (bucket: Bucket, accesses: readonly AccessName[]) => accesses.filter((it) => bucketOf(it) === bucket);

/**
 * The permissions that this account grants, and those that the owner requested but did not get.
 * Missing permissions can be requested again.
 */
export function Access({ account }: { account: AccountDetails }) {
  const { id, provider, kind, buckets, granted, missing, asks, offers, ready } = account;
  const more = offers.filter((access) => !granted.includes(access) && !missing.includes(access));
  return (
    <>
      <ul>
        {buckets.map((bucket) => (
          <li key={bucket} className={line}>
            <div className="min-w-0">
              <p className="font-medium">{kinds[bucket]}</p>
              <p className="text-muted">
                {bucket === "identity"
                  ? "Name and email address"
                  : accessList(inKind(bucket, granted)) || "Unrecognized permissions"}
              </p>
            </div>
          </li>
        ))}
        {bucketsAmong(missing).map((bucket) => (
          <li key={`missing-${bucket}`} className={line}>
            <div className="min-w-0 grow basis-60">
              <p className="font-medium">
                {kinds[bucket]} <span className="font-normal text-warn">· missing</span>
              </p>
              <p className="text-muted">
                {accessList(inKind(bucket, missing))}: {providerWords(account)} didn’t allow this access.
              </p>
            </div>
            {ready ? (
              <StartLink
                account={account}
                access={asks.filter((it) => granted.includes(it) || bucketOf(it) === bucket)}
                size="small"
                className="max-sm:min-h-12! max-sm:w-full"
              >
                Request<span className="sr-only"> {kinds[bucket]}</span> again
              </StartLink>
            ) : null}
          </li>
        ))}
      </ul>
      {ready && kind === "oauth" && more.length > 0 ? (
        <p className="mt-2">
          <ButtonLink
            href={`/integrations/link/${provider}?account=${id}`}
            size="small"
            className="max-sm:min-h-12! max-sm:w-full"
          >
            Edit permissions
          </ButtonLink>
        </p>
      ) : null}
      <RawScopes account={account} />
    </>
  );
}

/** The provider's own names for the granted scopes, including scopes of unknown types. */
function RawScopes({ account: { scopes, providerName } }: { account: AccountDetails }) {
  if (scopes.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="link inline-flex min-h-11 items-center">
        {providerName} lists {plural(scopes.length, { one: "# permission", other: "# permissions" })}
      </summary>
      <ul className="grid gap-2 pt-1">
        {scopes.map(({ scope, gives }) => (
          <li key={scope} className="grid gap-x-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
            <bdi className="mono">{scope}</bdi>
            <span className="text-muted">{gives.length > 0 ? accessList(gives) : meaning(scope)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * The meaning of a scope. The names of identity and offline scopes are recognized for every
 * provider.
 */
function meaning(scope: string): string {
  if (scope === "offline_access") return "Access while you’re away";
  if (
    /^(openid|email|profile|address|phone|User\.Read|read:user|user:email|.*\/userinfo\.(email|profile))$/.test(scope)
  )
    return kinds.identity;
  return "Unrecognized permission";
}
