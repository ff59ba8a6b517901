import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { type Sql, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import type { Integration as Row } from "@/lib/generated/prisma/client";
import { isId } from "@/lib/ids";
import { accessesOf, providerById } from "./provider-catalog";
import { type Access, buckets } from "./providers/access-types";
import type { Provider, StatusReason } from "./providers/provider";
import { whyNot } from "./reconnect-notice";
import type { Integration } from "./schema";

/** A linked account in its owner's view. Times are in epoch milliseconds. */
export type LinkedAccount = Integration & {
  /**
   * The provider's display name, such as "Google", or its ID if the operator has removed the
   * provider.
   */
  providerName: string;
  kind: Provider["kind"];
  /** Whether the account can be linked again, because the operator has set up its provider. */
  ready: boolean;
  /** The owner's own name for the account; absent if the owner has not set one. */
  label?: string;
  /** The account holder's name at the provider; absent if it is not known. */
  accountName?: string;
  /** The granted access, as the provider reported it. */
  granted: Access[];
  /** Access that the owner asked for and the provider offers, but that was not granted. */
  missing: Access[];
  /** The access to request when reconnecting: all that was granted or asked for. */
  asks: Access[];
  linkedAt: number;
  checkedAt?: number;
  /**
   * Whether the last check failed. After a temporary failure, the account may still be connected.
   */
  failing: boolean;
  /** The time of the next automatic check. Present only while the account is failing. */
  nextTryAt?: number;
  /** Why the account is not working, in one sentence; absent while it works. */
  why?: string;
  removedAt?: number;
  /** Milliseconds for which the removal can still be undone; absent if it can't be undone. */
  undoMs?: number;
  /** The connected apps that see the account in GET /api/integrations. */
  seenBy: { appId: string; name: string }[];
};

/** An account in full detail. */
export type AccountDetails = LinkedAccount & {
  /**
   * The granted scopes, as the provider names them, each with the access that it gives. An unknown
   * scope gives none.
   */
  scopes: { scope: string; gives: Access[] }[];
  /** Access that the provider offers. */
  offers: Access[];
  /** When the provider last issued a credential for the account. */
  refreshedAt?: number;
  /** All connected apps, by name. */
  apps: { appId: string; name: string; sees: boolean }[];
};

/** An owner's open link attempt, and when it began (epoch milliseconds). */
export type PendingLink = { provider: string; providerName: string; since: number };

/**
 * Returns the owner's latest open attempt to link an account; undefined if there is none. Attempts
 * expire after ten minutes, or when a later one at the same provider completes.
 */
export async function pendingLinks({ ownerId }: OwnerActor): Promise<PendingLink | undefined> {
  const attempt = await sql<{ provider: string; created_at: Date }>`
    SELECT provider, created_at
    FROM link_attempt a
    WHERE owner_id = ${ownerId}
      AND used_at IS NULL
      AND expires_at > now()
      AND NOT EXISTS (
        SELECT FROM link_attempt later
        WHERE later.owner_id = a.owner_id
          AND later.provider = a.provider
          AND later.used_at IS NOT NULL
          AND later.created_at > a.created_at
      )
    ORDER BY created_at DESC LIMIT 1`.row();
  if (!attempt) return undefined;
  const { provider, created_at } = attempt;
  return { provider, providerName: providerById(provider)?.name ?? provider, since: created_at.getTime() };
}

/** How long owners and apps still see a removed account, in milliseconds. */
const shownMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the owner's linked accounts, including those removed in the last 30 days. Accounts that
 * need the owner come first, and removed ones last.
 */
export async function linkedAccounts(owner: OwnerActor): Promise<LinkedAccount[]> {
  const now = new Date(clock.now());
  const [found, apps] = await Promise.all([
    db.integration.findMany({ where: shown(owner, now), orderBy: [{ createdAt: "asc" }, { id: "asc" }] }),
    connectedApps(owner),
  ]);
  return found
    .map((row) => asAccount(row, apps, now))
    .sort((a, b) => urgency[a.status] - urgency[b.status] || removal(b) - removal(a));
}

const urgency: Record<Integration["status"], number> = { needs_reauth: 0, error: 1, connected: 2, disconnected: 3 };
const removal = ({ removedAt = 0 }: LinkedAccount) => removedAt;

/**
 * Returns one of the owner's linked accounts in full detail.
 * @throws {AppError} 404 if the owner has no such account, or removed it more than 30 days ago
 */
export async function linkedAccount(owner: OwnerActor, id: string): Promise<AccountDetails> {
  if (!isId("int", id)) throw notFound();
  const now = new Date(clock.now());
  const [row, apps] = await Promise.all([
    db.integration.findFirst({ where: { ...shown(owner, now), id } }),
    connectedApps(owner),
  ]);
  if (!row) throw notFound();
  return {
    ...asAccount(row, apps, now),
    scopes: row.scopes.map((scope) => ({ scope, gives: accessesOf(row.provider, [scope]) })),
    offers: [...(providerById(row.provider)?.offers ?? [])],
    ...(row.refreshedAt && { refreshedAt: row.refreshedAt.getTime() }),
    apps: apps.map(({ sees, ...app }) => ({ ...app, sees: sees.includes(id) })),
  };
}

const shown = ({ ownerId }: OwnerActor, now: Date) => ({
  ownerId,
  OR: [{ disconnectedAt: null }, { disconnectedAt: { gt: new Date(now.getTime() - shownMs) } }],
});

/** SQL: the number of the owner's accounts that only the owner can fix. */
export const brokenCount = (ownerId: string): Sql =>
  sql`(
    SELECT count(*)::int FROM integration WHERE owner_id = ${ownerId} AND status = 'needs_reauth'
  )`;

type ConnectedApp = { appId: string; name: string; sees: string[] };

/** Returns the owner's connected apps by name, with the IDs of the accounts that each app sees. */
const connectedApps = ({ ownerId }: OwnerActor) =>
  sql<ConnectedApp>`
    SELECT app_id AS "appId", name, integration_ids AS sees
    FROM connected_app
    WHERE owner_id = ${ownerId}
    ORDER BY name, app_id`.rows();

function asAccount(row: Row, apps: ConnectedApp[], now: Date): LinkedAccount {
  const provider = providerById(row.provider);
  const status = row.status as Integration["status"];
  const granted = accessesOf(row.provider, row.scopes);
  const offers = provider?.offers ?? [];
  const failing = status === "error" || (status === "connected" && row.failures > 0);
  const isBroken = status === "needs_reauth" || status === "error";
  const undoMs = status === "disconnected" && row.eraseAt ? row.eraseAt.getTime() - now.getTime() : 0;
  return {
    id: row.id,
    provider: row.provider,
    status,
    email: row.email,
    providerName: provider?.name ?? row.provider,
    kind: provider?.kind ?? "oauth",
    ready: provider?.ready ?? false,
    failing,
    buckets: buckets.filter((bucket) => row.buckets.includes(bucket)),
    granted,
    missing: offers.filter((access) => row.asked.includes(access) && !granted.includes(access)),
    asks: offers.filter((access) => row.asked.includes(access) || granted.includes(access)),
    ...(row.label && { label: row.label }),
    ...(row.accountName && { accountName: row.accountName }),
    ...(row.statusReason && isBroken && { why: whyNot(row.statusReason as StatusReason, provider) }),
    linkedAt: row.createdAt.getTime(),
    ...(row.checkedAt && { checkedAt: row.checkedAt.getTime() }),
    ...(failing && row.checkAt && { nextTryAt: row.checkAt.getTime() }),
    ...(row.disconnectedAt && { removedAt: row.disconnectedAt.getTime() }),
    ...(undoMs > 0 && { undoMs }),
    seenBy: apps.filter(({ sees }) => sees.includes(row.id)).map(({ appId, name }) => ({ appId, name })),
  };
}
