import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { canonicalJson } from "@/lib/client/canonical-json";
import type { Jwks } from "@/lib/client/receipts";
import type { OwnerKeys } from "@/lib/client/types";
import { anAuthenticator } from "./passkey-authenticator";
import { sampleRequest } from "./sample-signing-request";

const encode = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString("base64url");

/** Creates a service's key, with a function that signs claims as a receipt. */
export function aReceiptKey(): { jwks: Jwks; receiptOf(claims: object): string } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "test", alg: "EdDSA", use: "sig" };
  return {
    jwks: { keys: [jwk] },
    receiptOf: (claims) => {
      const signed = `${encode({ alg: "EdDSA", typ: "countersign-receipt+jwt", kid: "test" })}.${encode(claims)}`;
      return `${signed}.${encode(sign(null, Buffer.from(signed), privateKey))}`;
    },
  };
}

/** Returns the claims of a receipt for the sample payment. */
export function sampleClaims(
  issuer: string,
  resolution: object = {},
): Record<string, unknown> & { resolution: object } {
  const { app, owner, answers } = sampleRequest().statement;
  return {
    ...{ iss: issuer, aud: app, owner, sub: answers[0]?.approval, iat: 1_796_000_060 },
    contentHash: answers[0]?.contentHash,
    resolution: {
      ...{ kind: "option", optionId: "pay", values: answers[0]?.values },
      ...{ resolvedBy: "owner", resolvedAt: 1_796_000_060_000 },
      ...resolution,
    },
  };
}

/**
 * Returns the claims of a receipt whose answer a passkey signed, and the owner's keys.
 * @param origin the origin of the page on which the owner signed
 */
export function signedClaims(
  issuer: string,
  origin = issuer,
): { claims: ReturnType<typeof sampleClaims>; keys: OwnerKeys } {
  const statement = canonicalJson(sampleRequest({ statement: { issuer } }).statement);
  const device = anAuthenticator();
  const rpId = new URL(issuer).hostname;
  const challenge = createHash("sha256").update(statement).digest("base64url");
  const { response } = JSON.parse(device.get({ challenge, rpId }, { origin })) as {
    response: { authenticatorData: string; clientDataJSON: string; signature: string };
  };
  const { authenticatorData, clientDataJSON, signature } = response;
  const signed = { statement, credentialId: device.id, authenticatorData, clientDataJSON, signature, synced: false };
  const claims = sampleClaims(issuer, { signature: signed });
  const { kty, crv, x, y } = device.publicKey.export({ format: "jwk" });
  const publicKey = { kty, alg: "ES256", crv, x, y } as OwnerKeys["keys"][number]["publicKey"];
  const key = { credentialId: device.id, publicKey, synced: false, since: 1_790_000_000_000 };
  return { claims, keys: { keys: [key], owner: String(claims.owner), rpId, origins: [origin] } };
}
