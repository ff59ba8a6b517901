import type { OwnerActor } from "@/lib/actor";
import type { Change } from "@/lib/events/change";
import { newId } from "@/lib/keys/ids";
import { sql } from "@/lib/sql";
import { nameSkeletons } from "./names";

/** No app may have our name but this one. */
const name = "Countersign test";

/** The service's own app for trying things out, one for each owner, made if need be. @returns its id */
export async function openTestApp(tx: Change, { ownerId }: OwnerActor): Promise<string> {
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  const { id } = (await sql<{ id: string }>`
    INSERT INTO app (id, owner_id, kind, name, name_skeleton, name_folded, redirect_uris, grant_types)
    VALUES (${newId("app")}, ${ownerId}, 'test', ${name}, ${nameSkeleton}, ${nameFolded}, '{}', '{}')
    ON CONFLICT (owner_id) WHERE kind = 'test' DO UPDATE SET owner_id = excluded.owner_id RETURNING id`.row(tx))!;
  return id;
}
