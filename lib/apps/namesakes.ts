import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import { sql } from "@/lib/sql";
import { RegistrationError } from "./client-metadata";
import { nameSkeletons } from "./names";

/**
 * Programs that register themselves may share a name: each installation is an app of its own. The name of an app that an
 * owner registered by hand may be shared too, letter by letter, since somebody who registers "Cursor" by hand must not lock
 * every Cursor out; the consent page then says that it is another one. Other letters that look the same have no such reason.
 * @throws {RegistrationError} when the name imitates one that was registered by hand
 */
export async function refuseImitation(name: string): Promise<void> {
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  const like = await db.app.findMany({
    where: { OR: [{ nameSkeleton }, { nameFolded }], kind: "manual", deletedAt: null },
    select: { name: true },
  });
  if (like.length > 0 && !like.some((app) => letters(app.name) === letters(name))) {
    throw new RegistrationError("invalid_client_metadata", "client_name looks like another app's name");
  }
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");

/** Whether the owner may take the app for another: one registered by hand, or one they let in, with a name that looks like its. */
export async function hasNamesake(
  { ownerId }: OwnerActor,
  app: { id: string; nameSkeleton: string; nameFolded: string | null },
): Promise<boolean> {
  const { found } = (await sql<{ found: boolean }>`SELECT EXISTS (
      SELECT FROM app WHERE (name_skeleton = ${app.nameSkeleton} OR name_folded = ${app.nameFolded})
        AND id <> ${app.id} AND deleted_at IS NULL AND kind = 'manual'
    ) OR EXISTS (
      SELECT FROM live_grant g JOIN app ON app.id = g.app_id
      WHERE g.owner_id = ${ownerId} AND app.id <> ${app.id} AND app.deleted_at IS NULL
        AND (app.name_skeleton = ${app.nameSkeleton} OR app.name_folded = ${app.nameFolded})
    ) AS found`.row())!;
  return found;
}
