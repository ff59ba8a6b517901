import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { type Sql, sql } from "@/lib/database/sql";
import { isOfLens, lensUrl } from "@/lib/owners/passkeys/answer-origins";
import { hasPasskey } from "@/lib/owners/passkeys/owner-keys";
import type { AnswerSignature, SignedByOwner } from "./schema";
import { noLens, ownerCannotSign } from "./signing-errors";

/**
 * SQL: the `Signing` of an owner's answer to an approval; NULL if it needs no signature.
 * @param of the approval's alias
 */
export const signingOf = (of: Sql): Sql => sql`approval_signing(
  ${of}.signed_by_owner, ${of}.owner_id, ${of}.app_id
)`;

/**
 * SQL: whether an owner's answer lacks the signature that its approval needs. The statements that
 * hold and record answers check it, so no way to answer can skip a signature. An owner can turn on
 * the requirement of a lens while a signature of our own page is held, so this also compares where
 * the owner signed.
 * @param of the approval's alias
 * @param signedAt the `signedAt` of the answer's signature as an SQL expression
 */
export const isUnsigned = (of: Sql, signedAt: Sql): Sql => sql`(
  CASE ${signedAt}
    WHEN 'lens' THEN false
    WHEN 'page' THEN ${signingOf(of)} IS NOT DISTINCT FROM 'lens'
    ELSE ${signingOf(of)} IS NOT NULL
  END
)`;

/** Returns whether the owner signed in a lens or on our own page; undefined without a signature. */
export const signedAt = (signature: AnswerSignature | undefined): "lens" | "page" | undefined =>
  signature && (isOfLens(signature.clientDataJSON) ? "lens" : "page");

/** Returns `signedByOwner` as the approval's row stores it. */
export const storeSigning = (signedByOwner: SignedByOwner | undefined): string | undefined =>
  signedByOwner === true ? "required" : signedByOwner || undefined;

/** SQL: the row's `signedByOwner` as JSON; NULL if it is absent. */
export const signedByOwnerJson = (of: Sql): Sql => sql`(
  CASE ${of}.signed_by_owner
    WHEN 'required' THEN 'true'
    WHEN 'when-possible' THEN '"when-possible"'
    WHEN 'in-lens' THEN '"in-lens"'
  END
)`;

/**
 * Checks that the app's owner can sign, when the app requires it.
 * @throws {AppError} 422 if the owner has no passkey, or if the app requires a lens and the operator
 *   has none
 */
export async function requireSigningOwner(app: AppActor, signedByOwner: SignedByOwner | undefined): Promise<void> {
  if (signedByOwner === "in-lens" && !lensUrl()) throw noLens();
  const { able } = await runAuthorized<{ able: boolean | null }>(app, {
    result: sql`(SELECT ${hasPasskey(sql`c.owner_id`)} FROM caller c) AS able`,
  });
  if (!able) throw ownerCannotSign();
}
