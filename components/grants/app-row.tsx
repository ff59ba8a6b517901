import Link from "next/link";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { ChevronIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time-ago";
import type { ConnectedApp } from "@/lib/grants/schema";

/** One connected app in the list: who it is, when it was last here, what it may do. */
export function AppRow({ grant }: { grant: ConnectedApp }) {
  return (
    <li>
      <Link
        href={`/apps/${grant.clientId}`}
        data-row
        className="flex items-start gap-3 rounded-xl border border-line bg-raised p-4 shadow-card compact:py-2 hover:border-edge"
      >
        <AppIcon name={grant.name} />
        <span className="min-w-0 grow">
          <span className="block font-semibold">
            <bdi>{grant.name}</bdi>
          </span>
          <span className="block text-muted">
            {grant.kind === "dynamic" ? "Registered itself · " : null}
            {(grant.clientHost ?? grant.host) ? <>{grant.clientHost ?? grant.host} · </> : null}
            {grant.lastUsedAt ? (
              <>
                used <TimeAgo at={grant.lastUsedAt} />
              </>
            ) : (
              "never used"
            )}
          </span>
          <span className="mt-2 flex flex-wrap gap-1.5">
            {grant.scopes.length === 0 ? <Badge>May do nothing</Badge> : null}
            {grant.scopes.map(({ scope }) => (
              <Badge key={scope} tone={scope === "approvals:resolve" ? "warn" : "neutral"}>
                <span className="font-mono">{scope}</span>
              </Badge>
            ))}
          </span>
        </span>
        <ChevronIcon className="mt-2 size-4 text-muted" />
      </Link>
    </li>
  );
}
