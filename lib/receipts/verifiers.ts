/*
 * How whoever acts on an answer checks its receipt, as the documentation and the README show it. A test runs both.
 */

/** For Node.js 20 and later; needs nothing else. */
export const verifierInTypeScript = `import { createPublicKey, verify } from "node:crypto";

/** What was answered to exactly this question, or an error. \`keys\` are those of /.well-known/jwks.json. */
export function checkReceipt(receipt, keys, { issuer, clientId, approvalId, contentHash }) {
  const [head, body, signature] = receipt.split(".");
  const read = (part) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { alg, typ, kid } = read(head);
  const key = keys.find((it) => it.kid === kid);
  if (alg !== "EdDSA" || typ !== "countersign-receipt+jwt" || !key) throw new Error("not a receipt of theirs");
  if (!verify(null, Buffer.from(\`\${head}.\${body}\`), createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url")))
    throw new Error("not signed by them");
  const { iss, aud, sub, contentHash: asked, resolution } = read(body);
  if (iss !== issuer || aud !== clientId || sub !== approvalId || asked !== contentHash) throw new Error("of something else");
  if (resolution.resolvedBy !== "owner") throw new Error("not answered by the owner");
  return resolution;
}
`;

/** Needs the package cryptography. */
export const verifierInPython = `import base64, json
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def check_receipt(receipt, keys, issuer, client_id, approval_id, content_hash):
    """What was answered to exactly this question, or an error. keys are those of /.well-known/jwks.json."""
    raw = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    head, body, signature = receipt.split(".")
    header, claims = json.loads(raw(head)), json.loads(raw(body))
    key = next((it for it in keys if it["kid"] == header["kid"]), None)
    if header["alg"] != "EdDSA" or header["typ"] != "countersign-receipt+jwt" or key is None:
        raise ValueError("not a receipt of theirs")
    Ed25519PublicKey.from_public_bytes(raw(key["x"])).verify(raw(signature), f"{head}.{body}".encode())
    wanted = (issuer, client_id, approval_id, content_hash, "owner")
    if (claims["iss"], claims["aud"], claims["sub"], claims["contentHash"], claims["resolution"]["resolvedBy"]) != wanted:
        raise ValueError("of something else, or not answered by the owner")
    return claims["resolution"]
`;
