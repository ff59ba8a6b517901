import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import { record } from "@/lib/events/events";

/** Whose session it is, or null once it was ended everywhere or by a changed password. */
export async function sessionOwner(ownerId: string, sessionVersion: unknown) {
  const owner = await db.owner.findUnique({ where: { id: ownerId } });
  if (owner === null || owner.sessionVersion !== sessionVersion) return null;
  return { kind: "owner" as const, ownerId, name: owner.name, email: owner.email };
}

/** Write down that the owner ended one session. The browser forgets it; nothing else knows of it. */
export async function recordSignOut({ ownerId }: OwnerActor): Promise<void> {
  await record(db, { ownerId, type: "owner.signed_out", subject: ownerId });
}
