import { VerificationError } from "./errors";

/*
 * Someone who has stolen a private key can sign any claims, including a false time. Therefore, only
 * the verifier's own record of when it received a receipt can show that the receipt is older than
 * the theft.
 */

/** A public key of the service. Times are in epoch seconds. */
export type ReceiptKey = JsonWebKey & {
  kid?: string;
  /** When the key was created. */
  nbf?: number;
  /** The end of the time in which the key may sign. Absent while no end is planned. */
  exp?: number;
  /** Present if the operator revoked the key, because others may have had it since `revoked_at`. */
  revoked?: { revoked_at?: number; reason?: string };
};

/** The service's public keys. `revoked_keys` has the keys that others may have. */
export type Jwks = { keys: readonly ReceiptKey[]; revoked_keys?: readonly ReceiptKey[] };

/** The number of seconds by which clocks may differ. */
const clockSkew = 300;

/**
 * Finds the key that signed a receipt.
 * @param receivedAt the verifier's own record of when it received the receipt, in epoch
 *   milliseconds
 * @throws {VerificationError} if the service does not publish the key, or revoked it before the
 *   verifier received the receipt
 */
export function findKey(jwks: Jwks, kid: unknown, receivedAt: number | undefined): ReceiptKey {
  const isKey = (key: ReceiptKey) => key.kid === kid && key.kty === "OKP" && key.crv === "Ed25519";
  const distrusted = jwks.revoked_keys?.find(isKey);
  const key = distrusted ?? jwks.keys.find(isKey);
  if (!key) throw new VerificationError("The receipt is signed with a key that the service does not publish");
  const revoked = key.revoked ?? (distrusted && {});
  if (revoked && !(receivedAt !== undefined && receivedAt < Number(revoked.revoked_at) * 1000))
    throw new VerificationError(
      `The service revoked the receipt's key, because others may have had the key${since(revoked.revoked_at)}. Get the receipt from the service again`,
    );
  return key;
}

const since = (time: number | undefined) => (typeof time === "number" ? ` since ${iso(time)}` : "");

/**
 * Checks that a receipt's times are possible for its key.
 * @param iat when the approval was resolved, in epoch seconds. It may precede the key, because the
 *   service signs a receipt whenever it is read.
 * @param receivedAt as for `findKey`
 * @throws {VerificationError} if they are not possible
 */
export function checkTimes({ nbf, exp }: ReceiptKey, iat: unknown, receivedAt: number | undefined): void {
  const seen = (receivedAt ?? Date.now()) / 1000;
  if (nbf !== undefined && !(seen + clockSkew >= nbf))
    throw new VerificationError(
      `The receipt's key is valid from ${iso(nbf)}, which is later than ${receivedAt === undefined ? "this computer's time" : "receivedAt"}`,
    );
  if (exp !== undefined && !(Number(iat) <= exp))
    throw new VerificationError(`The receipt's answer is later than the end of its key at ${iso(exp)}`);
  if (receivedAt !== undefined && !(Number(iat) <= seen + clockSkew))
    throw new VerificationError("The receipt's answer is later than receivedAt");
}

/** Formats epoch seconds. Times outside the range of dates stay numbers. */
function iso(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}
