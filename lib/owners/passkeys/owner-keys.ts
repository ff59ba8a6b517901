import type { OwnerActor } from "@/lib/actor";
import { epochMs, type Sql, sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import type { Change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";

/*
 * Programs that verify signed answers know the owner's public keys. They must be able to check
 * older answers too, so removed keys stay listed. An app is notified of each added or removed key.
 */

/**
 * An owner's key, current or removed. `key` is in COSE and hexadecimal. Times are in epoch
 * milliseconds.
 */
export type StoredPasskey = {
  credentialId: string;
  key: string;
  /** Whether the passkey can be synced. Null if it was created before this was recorded. */
  synced: boolean | null;
  since: number;
  /** When the owner removed it. Null while the owner has it. */
  until: number | null;
};

/** SQL: an owner's keys as a JSON array of `StoredPasskey`, oldest first. */
export const keysOf = (ownerId: Sql): Sql => sql`(
  SELECT coalesce(
      json_agg(
        json_build_object(
          'credentialId', k.id, 'key', encode(k.public_key, 'hex'), 'synced', k.synced,
          'since', ${epochMs("k.since")}, 'until', ${epochMs("k.until")}
        )
        ORDER BY k.since, k.id
      ),
      '[]'
    )
  FROM (
    SELECT id, public_key, synced, created_at AS since, NULL::timestamptz AS until
    FROM passkey
    WHERE owner_id = ${ownerId}
    UNION ALL
    SELECT id, public_key, synced, since, until
    FROM removed_passkey
    WHERE owner_id = ${ownerId}
  ) AS k
)`;

/**
 * SQL: whether the owner has a passkey.
 * @param ownerId the owner's ID as an SQL expression
 */
export const hasPasskey = (ownerId: Sql): Sql => sql`EXISTS (
  SELECT FROM passkey held WHERE held.owner_id = ${ownerId}
)`;

/**
 * Checks that the owner has a passkey, without which a requirement to sign would block every answer.
 * @throws {AppError} 409 without a passkey
 */
export async function requirePasskey({ ownerId }: Pick<OwnerActor, "ownerId">): Promise<void> {
  const found = await sql<{ held: boolean }>`SELECT ${hasPasskey(sql`${ownerId}`)} AS held`.row();
  if (!found?.held) throw new AppError(409, "You have no passkey. Add one in Settings › Security first.");
}

/** Records an added or removed key for each of the owner's apps. */
export async function recordKeyChange(
  tx: Change,
  ownerId: string,
  data: { credentialId: string; change: "added" | "removed" },
): Promise<void> {
  const apps = await sql<{ app_id: string }>`
    SELECT DISTINCT app_id FROM live_grant WHERE owner_id = ${ownerId}`.rows(tx);
  const about = { ownerId, type: "owner.keys_changed", subject: ownerId, data: { ...data, every: true } } as const;
  if (apps.length > 0) await record(tx, ...apps.map(({ app_id: appId }) => ({ ...about, appId })));
}
