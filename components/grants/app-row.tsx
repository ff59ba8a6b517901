import Link from "next/link";
import type { FormAction } from "@/components/ui/action-form";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { LastUsed } from "@/components/ui/time/last-used";
import type { ConnectedApp } from "@/lib/grants/schema";
import { RevokeButton } from "./revoke-button";

type AppRowProps = { grant: ConnectedApp; strange: boolean; muted: boolean; revoke: FormAction };

/** One connected app in the list: who it is, when it was last here, what it may do; and the way out. */
export function AppRow({ grant, strange, muted, revoke }: AppRowProps) {
  return (
    <li
      data-keyed-row
      className="relative flex items-start gap-3 rounded-xl border border-line bg-raised p-4 shadow-card compact:py-2 hover:border-edge"
    >
      <Link
        href={`/apps/${grant.clientId}`}
        data-row
        className="flex min-w-0 grow items-start gap-3 before:absolute before:inset-0 before:rounded-xl"
      >
        <AppIcon name={grant.name} />
        <span className="min-w-0 grow">
          <span className="block font-semibold">
            <bdi>{grant.name}</bdi>
          </span>
          <span className="block text-muted">
            {grant.kind === "test" ? "Our own test app · " : null}
            {grant.kind === "dynamic" ? "Registered itself · " : null}
            {(grant.clientHost ?? grant.host) ? <>{grant.clientHost ?? grant.host} · </> : null}
            <LastUsed at={grant.lastUsedAt} />
          </span>
          <span className="mt-2 flex flex-wrap gap-1.5">
            {strange ? <Badge tone="danger">Looks unusual</Badge> : null}
            {grant.idle ? <Badge tone="warn">Not used for 90 days</Badge> : null}
            {muted ? <Badge>Muted</Badge> : null}
            {grant.scopes.length === 0 ? <Badge>No permissions</Badge> : null}
            {grant.scopes.map(({ scope }) => (
              <Badge key={scope} tone={scope === "approvals:resolve" ? "warn" : "neutral"}>
                <span className="font-mono">{scope}</span>
              </Badge>
            ))}
          </span>
        </span>
      </Link>
      <div className="relative shrink-0">
        <RevokeButton action={revoke} clientId={grant.clientId} name={grant.name} label="Revoke" quiet />
      </div>
    </li>
  );
}
