import { fromBase64Url, toBase64Url } from "./base64";
import { sha256 } from "./content-hash";
import { VerificationError } from "./errors";
import type { AnswerSignature, PublicKeyJwk } from "./types";

/*
 * Verifies what a passkey signed (WebAuthn level 3, section 7.2), with WebCrypto only. Every byte of
 * an assertion is covered by its signature or compared with an expected value.
 */

/** What an assertion must have been made for. `origins` are the allowed ones. */
export type ExpectedAssertion = {
  challenge: Uint8Array;
  origins: readonly string[];
  rpId: string;
  publicKey: PublicKeyJwk;
};

/** Flags of the authenticator data (section 6.1). */
const flag = { present: 0x01, verified: 0x04, canSync: 0x08, isSynced: 0x10, hasKey: 0x40, hasExtensions: 0x80 };

/** The length of the authenticator data without a key or extensions: hash, flags and counter. */
const headLength = 37;

/**
 * Verifies an assertion with user presence and user verification.
 * @returns the signature counter, and whether the passkey can be synced to other devices
 * @throws {VerificationError} with the reason
 */
export async function verifyAssertion(
  assertion: Pick<AnswerSignature, "authenticatorData" | "clientDataJSON" | "signature">,
  { challenge, origins, rpId, publicKey }: ExpectedAssertion,
): Promise<{ counter: number; synced: boolean }> {
  const data = bytesOf(assertion.authenticatorData);
  const clientData = bytesOf(assertion.clientDataJSON);
  const signature = bytesOf(assertion.signature);
  checkClientData(parsed(clientData), challenge, origins);
  const { flags, counter } = await readAuthenticatorData(data, rpId);
  const signed = new Uint8Array([...data, ...(await sha256(clientData))]);
  if (!(await hasSigned(publicKey, signature, signed)))
    throw new VerificationError("The passkey's signature is invalid");
  return { counter, synced: (flags & flag.canSync) !== 0 };
}

function checkClientData(client: Record<string, unknown>, challenge: Uint8Array, origins: readonly string[]): void {
  if (client.type !== "webauthn.get") throw new VerificationError("The client data's type is not webauthn.get");
  if (client.challenge !== toBase64Url(challenge))
    throw new VerificationError("The client data's challenge is not the hash of the statement");
  if (typeof client.origin !== "string" || !origins.includes(client.origin))
    throw new VerificationError("The client data's origin is not an expected origin");
  if (client.crossOrigin !== undefined && client.crossOrigin !== false)
    throw new VerificationError("The passkey signed in a frame of another origin");
}

async function readAuthenticatorData(data: Uint8Array, rpId: string): Promise<{ flags: number; counter: number }> {
  const flags = data[32] ?? 0;
  const hasMore = (flags & (flag.hasKey | flag.hasExtensions)) !== 0;
  if (data.length < headLength || data.length > headLength !== hasMore)
    throw new VerificationError("The authenticator data is malformed");
  const wanted = await sha256(new TextEncoder().encode(rpId));
  if (wanted.some((byte, at) => data[at] !== byte))
    throw new VerificationError("The authenticator data is for another RP ID");
  if ((flags & flag.present) === 0) throw new VerificationError("The passkey did not check that the owner was present");
  if ((flags & flag.verified) === 0) throw new VerificationError("The passkey did not verify the owner");
  if ((flags & flag.isSynced) !== 0 && (flags & flag.canSync) === 0)
    throw new VerificationError("The authenticator data is malformed");
  return { flags, counter: new DataView(data.buffer, data.byteOffset).getUint32(33) };
}

/** Verifies a signature with the algorithm of the key. */
async function hasSigned(
  { kty, crv, x, y, n, e }: PublicKeyJwk,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const verify = async (jwk: object, algorithm: EcKeyImportParams & RsaHashedImportParams, raw = signature) => {
    const key = await crypto.subtle
      .importKey("jwk", jwk as JsonWebKey, algorithm, false, ["verify"])
      .catch(() => Promise.reject(new VerificationError("The passkey's public key is invalid")));
    return crypto.subtle.verify(algorithm, key, raw, signed);
  };
  const algorithm = (name: string) => ({ name, hash: "SHA-256", namedCurve: "P-256" }) as Parameters<typeof verify>[1];
  if (kty === "EC" && crv === "P-256") {
    const raw = rawSignature(signature);
    return raw !== undefined && verify({ kty, crv, x, y }, algorithm("ECDSA"), raw);
  }
  if (kty === "OKP" && crv === "Ed25519") return verify({ kty, crv, x }, algorithm("Ed25519"));
  if (kty === "RSA") return verify({ kty, n, e }, algorithm("RSASSA-PKCS1-v1_5"));
  throw new VerificationError("The passkey's public key has an unsupported type");
}

/**
 * Converts an ES256 signature from DER (RFC 3279, section 2.2.3), as WebAuthn uses it, to the 64
 * bytes that WebCrypto uses. Returns undefined for any other encoding, so that a signature has only
 * one form.
 */
function rawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const integer = der.subarray(at + 2, at + 2 + length);
    const [first = 0x80, second = 0] = integer;
    // A positive integer has a leading zero only if its highest bit would be set otherwise.
    if (der[at] !== 2 || integer.length !== length || first >= 0x80 || (first === 0 && second < 0x80)) return undefined;
    const digits = first === 0 ? integer.subarray(1) : integer;
    if (digits.length > 32) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}

function bytesOf(text: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof text === "string" ? fromBase64Url(text) : undefined;
  if (!bytes) throw new VerificationError("The answer's signature is malformed");
  return bytes;
}

function parsed(clientData: Uint8Array): Record<string, unknown> {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(clientData));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is reported by the error below.
  }
  throw new VerificationError("The client data is not JSON");
}
