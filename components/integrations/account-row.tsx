import Link from "next/link";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Integration } from "@/lib/integrations/schema";

type Account = Integration & {
  label?: string;
  linkedAt: number;
  checkedAt?: number;
  reason?: string;
  seenBy: { appId: string; name: string }[];
};

const statuses = {
  connected: { tone: "ok", word: "Connected", who: "Nothing to do." },
  needs_reauth: { tone: "warn", word: "Reconnect needed", who: "Only you can fix this: connect the account again." },
  error: { tone: "warn", word: "Temporarily unavailable", who: "We keep trying. Nothing to do for now." },
  disconnected: { tone: "neutral", word: "Removed", who: "Its tokens are gone." },
} as const;

const reasons: Record<string, string> = {
  invalid_grant: "The provider no longer accepts what you granted.",
  revoked_at_provider: "Access was taken back at the provider.",
  refresh_exhausted: "The provider's permission ran out.",
  missing_scope: "Something that is needed was not granted.",
  rate_limited: "The provider asks us to slow down.",
  provider_down: "The provider does not answer.",
  owner_disconnected: "You removed it.",
};

const kinds: Record<Integration["buckets"][number], string> = {
  identity: "Who you are",
  mail: "Mail",
  calendar: "Calendar",
  contacts: "Contacts",
  files: "Files",
  tasks: "Tasks",
};

/** One linked account: which, whether it works and who acts next, what it gives, who sees it. */
export function AccountRow({ account }: { account: Account }) {
  const { provider, email, label, status, reason, seenBy } = account;
  const { tone, word, who } = statuses[status];
  const name = provider.charAt(0).toUpperCase() + provider.slice(1);
  return (
    <li data-row tabIndex={-1} className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <AppIcon name={name} className="size-9" />
        <div className="min-w-0 grow">
          <h2 className="text-base">
            {label ? (
              <>
                <bdi>{label}</bdi> <span className="font-normal text-muted">at {name}</span>
              </>
            ) : (
              name
            )}
          </h2>
          <p className="break-all">
            <bdi>{email}</bdi>
          </p>
        </div>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="mt-3">
        {reason && status !== "connected" ? `${reasons[reason] ?? ""} ` : ""}
        {who}
      </p>
      <ul aria-label="Kinds of data" className="mt-3 flex flex-wrap gap-1.5">
        {account.buckets.map((bucket) => (
          <li key={bucket}>
            <Badge>{kinds[bucket]}</Badge>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-muted">
        {seenBy.length === 0 ? "No app can see it." : "Seen by "}
        {seenBy.map(({ appId, name: app }, at) => (
          <span key={appId}>
            {at > 0 ? ", " : ""}
            <Link href={`/apps/${appId}`} className="link">
              <bdi>{app}</bdi>
            </Link>
          </span>
        ))}
      </p>
      <p className="mt-1 text-xs text-muted">
        Linked <TimeAgo at={account.linkedAt} />
        {account.checkedAt ? (
          <>
            , checked <TimeAgo at={account.checkedAt} />
          </>
        ) : null}
      </p>
    </li>
  );
}
