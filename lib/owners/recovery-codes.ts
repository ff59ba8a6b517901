import { randomBytes } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { nobody, ownerOfEmail } from "./find-accounts";
import type { Entrance, Recovery, RecoveryState } from "./schema";
import { limitedSignIn, type SignInOrigin } from "./sign-in-limits";

/** The alphabet of Crockford's base32, which omits letters that look like digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const howMany = 10;

/**
 * Creates ten recovery codes with 60 random bits each, such as `k3f9-02wq-x7mt`. They replace all
 * earlier codes. Only hashes are stored, so the codes can be shown only once.
 */
export async function makeRecoveryCodes(owner: OwnerActor): Promise<{ codes: string[] }> {
  const { ownerId } = owner;
  const codes = Array.from({ length: howMany }, newCode);
  await change(owner, async (tx) => {
    // Locks the owner, so that concurrent calls don't leave two sets of codes.
    await sql`SELECT FROM owner WHERE id = ${ownerId} FOR NO KEY UPDATE`.run(tx);
    await tx.recoveryCode.deleteMany({ where: { ownerId } });
    for (const code of codes) {
      await sql`
        INSERT INTO recovery_code (hash, owner_id)
        VALUES (${hashOf(ownerId, code)}, ${ownerId})`.run(tx);
    }
    await record(tx, { ownerId, type: "owner.recovery_codes_made", subject: ownerId });
  });
  return { codes };
}

const newCode = (): string =>
  Array.from(randomBytes(12), (byte) => alphabet[byte & 31])
    .join("")
    .replace(/(.{4})(?=.)/g, "$1-");

const hashOf = (ownerId: string, code: string) => hashSecret(JSON.stringify(["recovery", ownerId, asMade(code)]));

/**
 * Normalizes a typed code. Ignores case and separators, and replaces letters with the digits that
 * they look like.
 */
const asMade = (typed: string) => {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, "");
  return letters.replaceAll("o", "0").replace(/[il]/g, "1");
};

export async function recoveryState({ ownerId }: OwnerActor): Promise<RecoveryState> {
  const codes = await db.recoveryCode.findMany({ where: { ownerId }, select: { usedAt: true, createdAt: true } });
  const [first] = codes;
  const left = codes.filter(({ usedAt }) => usedAt === null).length;
  return { left, ...(first && { madeAt: first.createdAt.getTime() }) };
}

/**
 * Consumes a recovery code and returns its owner. Limits guesses at recovery codes separately from
 * guesses at passwords.
 * @throws {AppError} 401, 429 with Retry-After
 */
export const signInWithRecoveryCode = ({ code, ...who }: Recovery & SignInOrigin): Promise<Entrance> =>
  limitedSignIn("recovery_code", who, async (account) => {
    const owner = await ownerOfEmail(account);
    const ownerId = owner?.id ?? nobody;
    // Also runs for unknown accounts, so that the response takes as long as for known ones.
    await change(null, async (tx) => {
      const used = await sql`
        UPDATE recovery_code
        SET used_at = now()
        WHERE hash = ${hashOf(ownerId, code)}
          AND owner_id = ${ownerId}
          AND used_at IS NULL`.run(tx);
      if (used === 0) throw new AppError(401, "The email or recovery code is wrong");
      await record(tx, { ownerId, type: "owner.recovery_code_used", subject: ownerId });
    });
    return { ownerId, sessionVersion: owner?.sessionVersion ?? 0 };
  });
