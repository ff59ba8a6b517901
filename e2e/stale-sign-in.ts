import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";

/** Moves the owner's sign-in into the past by some minutes. */
export const signedInBefore = (owner: OwnerActor, minutes: number) =>
  db.$executeRaw`
    UPDATE owner_session SET signed_in_at = now() - make_interval(mins => ${minutes}::int)
    WHERE owner_id = ${owner.ownerId}`;
