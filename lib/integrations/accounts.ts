import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import { buckets, type Integration } from "./schema";

/** A linked account as its owner sees it. Times in epoch milliseconds. */
export type LinkedAccount = Integration & {
  /** The owner's own name for it. */
  label?: string;
  linkedAt: number;
  checkedAt?: number;
  /** Why it is not connected, in the provider's or our terms. */
  reason?: string;
  /** The connected apps that see it in GET /api/integrations. */
  seenBy: { appId: string; name: string }[];
};

/** The owner's linked accounts: what needs them first, what they unlinked in the last 30 days at the end. */
export async function linkedAccounts(owner: OwnerActor): Promise<LinkedAccount[]> {
  const now = new Date();
  const rows = await db.integration.findMany({
    where: {
      ownerId: owner.ownerId,
      OR: [{ disconnectedAt: null }, { disconnectedAt: { gt: new Date(now.getTime() - 30 * 24 * 60 * 60 * 1000) } }],
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: {
      id: true,
      provider: true,
      email: true,
      label: true,
      status: true,
      statusReason: true,
      buckets: true,
      createdAt: true,
      checkedAt: true,
      grants: {
        where: {
          grant: {
            ownerId: owner.ownerId,
            revokedAt: null,
            OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
            app: { deletedAt: null },
          },
        },
        select: { grant: { select: { app: { select: { id: true, name: true } } } } },
      },
    },
  });
  const accounts = rows.map(
    (row): LinkedAccount => ({
      id: row.id,
      provider: row.provider,
      email: row.email,
      status: row.status as Integration["status"],
      buckets: buckets.filter((bucket) => row.buckets.includes(bucket)),
      ...(row.label && { label: row.label }),
      ...(row.statusReason && { reason: row.statusReason }),
      linkedAt: row.createdAt.getTime(),
      ...(row.checkedAt && { checkedAt: row.checkedAt.getTime() }),
      seenBy: row.grants.map(({ grant }) => ({ appId: grant.app.id, name: grant.app.name })),
    }),
  );
  return accounts.sort((one, other) => urgency[one.status] - urgency[other.status]);
}

const urgency: Record<Integration["status"], number> = { needs_reauth: 0, error: 1, connected: 2, disconnected: 3 };
