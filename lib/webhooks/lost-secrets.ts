import { db } from "@/lib/db";
import { KeyError } from "@/lib/keys/data-keys";
import { sql } from "@/lib/sql";
import { disableEndpoint } from "./record-attempt";
import { openSecret, type SealedSecret } from "./secrets";

type LostSecret = SealedSecret & { endpointId: string; inUse: boolean };

/** How many endpoints are signed with what no key opens any more. */
export const countLostSecrets = async (): Promise<number> => (await lost()).filter(({ inUse }) => inUse).length;

/** Destroy these secrets and switch their endpoints off, which tells who manages them. @returns as countLostSecrets */
export async function forgetLostSecrets(): Promise<number> {
  const all = await lost();
  for (const { id, endpointId, inUse } of all) {
    await db.webhookSecret.deleteMany({ where: { id } });
    if (inUse) await disableEndpoint(endpointId, "secret");
  }
  return all.filter(({ inUse }) => inUse).length;
}

async function lost(): Promise<LostSecret[]> {
  const kept =
    await sql<LostSecret>`SELECT s.id, s.endpoint_id AS "endpointId", s.retires_at IS NULL AS "inUse", encode(s.sealed, 'base64') AS sealed,
        k.id AS "keyId", encode(k.wrapped, 'base64') AS wrapped, k.wrapped_by AS "wrappedBy"
      FROM webhook_secret s JOIN data_key k ON k.id = s.key_id ORDER BY s.id`.rows();
  return kept.filter(isLost);
}

function isLost(row: LostSecret): boolean {
  try {
    return openSecret(row.endpointId, row) === undefined;
  } catch (error) {
    if (error instanceof KeyError) return true;
    throw error;
  }
}
