import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { newId } from "@/lib/ids";
import { whileAccountExists } from "@/lib/owners/account-locks";
import { nameSkeletons } from "./app-name-checks";

/**
 * The service's own name as an app. No other app may include it in its name (`app-name-checks.ts`).
 */
const name = "Countersign";

/**
 * Creates the service's own app for this owner, unless it already exists.
 * @returns the app's ID
 * @throws {AppError} 404 if the account was deleted
 */
export async function ensureServiceApp({ ownerId }: OwnerActor): Promise<string> {
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  const statement = sql<{ id: string }>`
    INSERT INTO app (
      id, owner_id, kind, name, name_skeleton, name_folded, redirect_uris, grant_types
    )
    VALUES (
      ${newId("app")}, ${ownerId}, 'test', ${name}, ${nameSkeleton}, ${nameFolded}, '{}', '{}'
    )
    -- Earlier releases used another name.
    ON CONFLICT (owner_id) WHERE kind = 'test' DO UPDATE SET
      name = excluded.name, name_skeleton = excluded.name_skeleton,
      name_folded = excluded.name_folded
    RETURNING id`;
  return (await whileAccountExists(ownerId, (tx) => statement.row(tx)))!.id;
}
