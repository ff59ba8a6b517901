import { cose, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";

/** A passkey's public key as a JSON Web Key (RFC 7517). */
export type PublicKeyJwk =
  | { kty: "EC"; alg: "ES256"; crv: "P-256"; x: string; y: string }
  | { kty: "OKP"; alg: "EdDSA"; crv: "Ed25519"; x: string }
  | { kty: "RSA"; alg: "RS256"; n: string; e: string };

/**
 * Converts a public key from COSE (RFC 9052), as authenticators encode it. Passkeys are created only
 * with these three algorithms.
 * @throws {Error} for any other algorithm or curve
 */
export function publicKeyJwk(key: Uint8Array): PublicKeyJwk {
  const decoded = decodeCredentialPublicKey(new Uint8Array(key));
  const alg = decoded.get(cose.COSEKEYS.alg);
  if (cose.isCOSEPublicKeyEC2(decoded) && alg === cose.COSEALG.ES256 && decoded.get(cose.COSEKEYS.crv) === p256)
    return {
      kty: "EC",
      alg: "ES256",
      crv: "P-256",
      x: base64url(decoded.get(cose.COSEKEYS.x)),
      y: base64url(decoded.get(cose.COSEKEYS.y)),
    };
  if (cose.isCOSEPublicKeyOKP(decoded) && alg === cose.COSEALG.EdDSA && decoded.get(cose.COSEKEYS.crv) === ed25519)
    return { kty: "OKP", alg: "EdDSA", crv: "Ed25519", x: base64url(decoded.get(cose.COSEKEYS.x)) };
  if (cose.isCOSEPublicKeyRSA(decoded) && alg === cose.COSEALG.RS256)
    return {
      kty: "RSA",
      alg: "RS256",
      n: base64url(decoded.get(cose.COSEKEYS.n)),
      e: base64url(decoded.get(cose.COSEKEYS.e)),
    };
  throw new Error(`A passkey has the unknown algorithm ${alg}`);
}

const p256 = cose.COSECRV.P256;
const ed25519 = cose.COSECRV.ED25519;

const base64url = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString("base64url");
