import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import type { Prisma } from "@/lib/generated/prisma/client";
import { newId } from "@/lib/ids";

/** Creates a connected Google account of the owner, without a credential. @returns its ID */
export async function aLinkedAccount(
  { ownerId }: Pick<OwnerActor, "ownerId">,
  more: Partial<Prisma.IntegrationUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId("int");
  const account = { id, ownerId, provider: "google", issuer: "https://accounts.google.com", subject: id };
  await db.integration.create({
    data: { ...account, email: `${id}@acme.example`, buckets: ["identity"], scopes: [], ...more },
  });
  return id;
}

/** Returns the fields of an account that its owner removed this many days ago. */
export const removed = (daysAgo = 0) => ({
  status: "disconnected",
  statusReason: "owner_disconnected",
  disconnectedAt: new Date(Date.now() - daysAgo * 86_400_000),
});
