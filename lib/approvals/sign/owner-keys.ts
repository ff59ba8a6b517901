import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { answerOrigins } from "@/lib/owners/passkeys/answer-origins";
import { party } from "@/lib/owners/passkeys/challenges";
import { keysOf, type StoredPasskey } from "@/lib/owners/passkeys/owner-keys";
import { publicKeyJwk } from "@/lib/owners/passkeys/public-key-jwk";
import type { OwnerKeys } from "./schema";

/**
 * Returns the public keys of the owner's passkeys, also of removed ones, with everything else that a
 * program needs to verify signed answers.
 */
export async function readOwnerKeys(app: AppActor): Promise<OwnerKeys> {
  const { owner_id: owner, keys } = await runAuthorized<{ owner_id: string; keys: StoredPasskey[] }>(app, {
    result: sql`(SELECT ${keysOf(sql`c.owner_id`)} FROM caller c) AS keys`,
  });
  return {
    owner,
    rpId: party().rpID,
    origins: answerOrigins(),
    keys: keys.map(({ credentialId, key, synced, since, until }) => ({
      credentialId,
      publicKey: publicKeyJwk(Buffer.from(key, "hex")),
      ...(synced !== null && { synced }),
      since,
      ...(until !== null && { until }),
    })),
  };
}
