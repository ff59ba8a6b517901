import type { OwnerActor } from "@/lib/actor";
import { type Executor, sql } from "@/lib/database/sql";
import type { nameSkeletons } from "./app-name-checks";

/*
 * Names are compared among the apps that one owner knows: those they registered, and those they
 * connected. Other owners' apps don't count, so no one can block a name for others or find out
 * about their apps. Self-registered and metadata apps may have a name like another app's; the
 * consent page warns the owner instead.
 */

type Skeletons = Pick<ReturnType<typeof nameSkeletons>, "nameSkeleton"> & { nameFolded: string | null };
type Alike = { id: string; name: string; own: boolean };

/**
 * Returns the apps with similar names that the owner registered or connected. `own`: the owner
 * registered the app.
 */
const alikeOf = ({ ownerId }: OwnerActor, { nameSkeleton, nameFolded }: Skeletons, on?: Executor): Promise<Alike[]> =>
  sql<Alike>`
    SELECT id, name, coalesce(owner_id = ${ownerId}, false) AS own
    FROM app
    WHERE deleted_at IS NULL
      AND (name_skeleton = ${nameSkeleton} OR name_folded = ${nameFolded})
      AND id IN (
        SELECT id FROM app WHERE owner_id = ${ownerId} AND kind = 'manual'
        UNION
        SELECT app_id FROM live_grant WHERE owner_id = ${ownerId}
      )`.rows(on);

/**
 * Returns whether the owner may register an app under this name. The name must not resemble one of
 * the owner's own apps. It may resemble a connected app's name only if both have the same letters
 * and digits: a developer's program may have registered itself before.
 */
export async function isNameFree(
  owner: OwnerActor,
  name: string,
  skeletons: Skeletons,
  on: Executor,
): Promise<boolean> {
  const alike = await alikeOf(owner, skeletons, on);
  return alike.every((app) => !app.own && letters(app.name) === letters(name));
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");

/** Returns whether the owner could mistake the app for another app that they know. */
export async function hasNameConflict(
  owner: OwnerActor,
  app: { id: string } & Skeletons,
  on?: Executor,
): Promise<boolean> {
  return (await alikeOf(owner, app, on)).some(({ id }) => id !== app.id);
}
