import { RevokeButton } from "@/components/grants/revoke-button";
import { RevokedNotice } from "@/components/grants/revoked-notice";
import { RowKeys } from "@/components/keyboard/row-keys";
import { KeysHeading } from "@/components/keyboard/use-shortcut";
import { Page } from "@/components/layout/page";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { ButtonLink, LinkLine } from "@/components/ui/styled-links";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { readAppAnomalies } from "@/lib/events/app-anomalies";
import { readAppChoices } from "@/lib/grants/app-preferences";
import { listDisconnectedApps } from "@/lib/grants/connected-and-former-apps";
import { listGrants } from "@/lib/grants/grants";
import type { ConnectedApp, EndedApp } from "@/lib/grants/schema";
import { allows, sensitiveScopes } from "@/lib/scopes";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Apps" };

type Search = Promise<{ revoked?: string | string[] }>;

export default async function Apps({ searchParams }: { searchParams: Search }) {
  const [owner, { revoked }] = await Promise.all([requireOwner(), searchParams]);
  const [grants, troubles, choices, ended] = await Promise.all([
    listGrants(owner),
    readAppAnomalies(owner),
    readAppChoices(owner),
    listDisconnectedApps(owner),
  ]);
  const former = ended.find(({ clientId, how }) => clientId === revoked && how === "revoked");
  return (
    <KeysHeading name="Apps">
      <Page
        title="Apps"
        lead="Review the apps you connected and their permissions."
        actions={
          <ButtonLink href="/integrations" variant="quiet" size="small">
            Integrations
          </ButtonLink>
        }
      >
        <RowKeys name="Apps" row="app" />
        {former ? <RevokedNotice key={former.endedAt} name={former.name} /> : null}
        {grants.length === 0 ? (
          <EmptyState title="No connected apps" action={<ButtonLink href="/developer">Register an app</ButtonLink>}>
            Connected apps appear here.
          </EmptyState>
        ) : (
          <ul className="-mx-3 grid gap-1">
            {grants.map((grant) => (
              <AppRow
                key={grant.clientId}
                grant={grant}
                strange={troubles.has(grant.clientId)}
                muted={choices.get(grant.clientId)?.questionsMuted ?? false}
              />
            ))}
          </ul>
        )}
        <EndedApps apps={ended} />
      </Page>
    </KeysHeading>
  );
}

/** A connected app's row, with its last use, permissions and revoke button. */
function AppRow({ grant, strange, muted }: { grant: ConnectedApp; strange: boolean; muted: boolean }) {
  const scopes = grant.scopes.map(({ scope }) => scope);
  const plain = scopes.filter((scope) => !sensitiveScopes.has(scope));
  const answers = plain.length < scopes.length;
  return (
    <li data-keyed-row className="relative flex items-start gap-3 rounded-xl p-3 hover:bg-fill compact:py-2">
      <Link
        href={`/apps/${grant.clientId}`}
        data-row
        className="flex min-w-0 grow items-start gap-3 before:absolute before:inset-0 before:rounded-xl"
      >
        <AppIcon {...grant} />
        <span className="min-w-0 grow">
          <span className="block font-semibold">
            <bdi>{grant.name}</bdi>
          </span>
          <span className="block text-muted">
            {grant.kind === "dynamic" ? "Self-registered · " : null}
            {(grant.clientHost ?? grant.host) ? <>{grant.clientHost ?? grant.host} · </> : null}
            {grant.kind === "test" ? "This service" : <LastUsed at={grant.lastUsedAt} />}
          </span>
          <span className="block">{plain.length > 0 ? `Can ${allows(plain)}` : answers ? null : "No permissions"}</span>
          {answers ? <span className="block text-warn">This app can answer its own questions.</span> : null}
          <span className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
            {strange ? <Badge tone="danger">Unusual activity</Badge> : null}
            {grant.idle ? <Badge tone="warn">Not used for 90 days</Badge> : null}
            {muted ? <Badge>Muted</Badge> : null}
          </span>
        </span>
      </Link>
      {grant.kind === "test" ? null : (
        <div className="relative shrink-0">
          <RevokeButton clientId={grant.clientId} name={grant.name} label="Revoke" quiet />
        </div>
      )}
    </li>
  );
}

const ways: Record<EndedApp["how"], string> = {
  revoked: "access revoked",
  expired: "access expired",
  deleted: "app deleted",
};

/** Former apps, collapsed. Each shows when and why its access ended, and links to its activity. */
function EndedApps({ apps }: { apps: readonly EndedApp[] }) {
  if (apps.length === 0) return null;
  return (
    <details className="mt-6">
      <summary className="link inline-flex min-h-11 items-center">Former apps ({apps.length})</summary>
      <ul>
        {apps.map(({ clientId, name, endedAt, how }) => (
          <li key={clientId} className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
            <p>
              <bdi className="font-medium">{name}</bdi>{" "}
              <span className="text-muted">
                · {ways[how]} <TimeAgo at={endedAt} />
              </span>
            </p>
            <LinkLine href={`/activity?app=${clientId}`}>
              Activity <span className="sr-only">({name})</span>
            </LinkLine>
          </li>
        ))}
      </ul>
    </details>
  );
}
