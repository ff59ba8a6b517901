/*
 * How a program that acts on an answer checks its receipt, as /docs and docs/receipts.md show it. A test runs both.
 */

/** For Node.js 20 and later; needs nothing else. */
export const verifierInTypeScript = `import { createPublicKey, verify, type JsonWebKey } from "node:crypto";

type Wanted = { issuer: string; clientId: string; owner: string; approvalId: string; contentHash: string };

/** What the owner answered to exactly this, or an error. \`keys\` are those of /.well-known/jwks.json. */
export function checkReceipt(receipt: string, keys: (JsonWebKey & { kid?: string })[], wanted: Wanted) {
  const [head = "", body = "", signature = ""] = receipt.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { alg, typ, kid } = read(head);
  const key = keys.find((it) => it.kid === kid);
  if (alg !== "EdDSA" || typ !== "countersign-receipt+jwt" || !key) throw new Error("Not a receipt from this service");
  const [said, by] = [Buffer.from(\`\${head}.\${body}\`), createPublicKey({ key, format: "jwk" })];
  if (!verify(null, said, by, Buffer.from(signature, "base64url"))) throw new Error("The signature is wrong");
  const { iss, aud, owner, sub, contentHash, resolution, simulated } = read(body);
  const about = [iss, aud, owner, sub, contentHash, resolution.resolvedBy];
  const should = [wanted.issuer, wanted.clientId, wanted.owner, wanted.approvalId, wanted.contentHash, "owner"];
  if (simulated || should.some((it, at) => typeof it !== "string" || it !== about[at]))
    throw new Error("About something else, or not answered by the owner");
  return resolution;
}
`;

/** Needs the package cryptography. */
export const verifierInPython = `import base64, json
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def check_receipt(receipt, keys, issuer, client_id, owner, approval_id, content_hash):
    """What the owner answered to exactly this, or an error. keys are those of /.well-known/jwks.json."""
    raw = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    head, body, signature = receipt.split(".")
    header, claims = json.loads(raw(head)), json.loads(raw(body))
    key = next((it for it in keys if it["kid"] == header.get("kid")), None)
    if (header["alg"], header["typ"]) != ("EdDSA", "countersign-receipt+jwt") or key is None:
        raise ValueError("Not a receipt from this service")
    Ed25519PublicKey.from_public_bytes(raw(key["x"])).verify(raw(signature), f"{head}.{body}".encode())
    about = [claims.get(it) for it in ("iss", "aud", "owner", "sub", "contentHash")] + [claims["resolution"]["resolvedBy"]]
    should = [issuer, client_id, owner, approval_id, content_hash, "owner"]
    if claims.get("simulated") or about != should or not all(isinstance(it, str) for it in should):
        raise ValueError("About something else, or not answered by the owner")
    return claims["resolution"]
`;
