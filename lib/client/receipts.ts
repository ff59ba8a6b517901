import { isSimulated } from "./answer";
import { fromBase64Url } from "./base64";
import { type Content, contentHash } from "./content-hash";
import { VerificationError } from "./errors";
import type { Resolution } from "./types";

/** What a receipt says: who answered which question of which app, and how. */
export type Receipt = {
  /** The service that signed it. */
  iss: string;
  /** The app that asked. */
  aud: string;
  /** The owner who answered; absent from what was signed before receipts named them. */
  owner?: string;
  /** The approval's id. */
  sub: string;
  /** When it was signed, in epoch seconds. */
  iat: number;
  contentHash: string;
  resolution: Resolution;
  [claim: string]: unknown;
};

export type Jwks = { keys: readonly (JsonWebKey & { kid?: string })[] };

/** Who has to have answered whom, and what. Of the approval's id and what was asked, one has to be said. */
export type ReceiptChecks = {
  /** The service's address, exactly as in the receipt. */
  issuer: string;
  /** The service's keys; fetched from `jwksUrl` where they are not given, or from their usual place. */
  jwks?: Jwks;
  jwksUrl?: string;
  /** The client id of the app that asked. */
  audience: string;
  /** The id of the owner whose answer counts: `owner` of the token reply, `sub` of introspection and webhooks. */
  owner: string;
  /** The approval that was asked, as whoever checks remembers it: an agent that brings a receipt brings any id. */
  approvalId?: string;
  /** What is about to be done was asked like this: the approval as it was submitted, or its hash. */
  content?: Content;
  contentHash?: string;
  /** Accept what was signed before receipts named the owner, and so proves nobody's answer. Fetched anew it names them. */
  acceptWithoutOwner?: boolean;
  /** Accept what a simulated owner answered, in tests. */
  allowSimulated?: boolean;
  fetch?: typeof globalThis.fetch;
} & ({ approvalId: string } | { content: Content } | { contentHash: string });

/**
 * What a receipt proves, without asking the service anything but its public keys. It proves an answer, not which one:
 * go on only with `receipt.yes(optionId)`. An action that may happen once keeps the ids it has seen.
 * @throws {VerificationError} which says why; {TypeError} for checks that are missing, misspelt or of another type
 */
export async function verifyReceipt(
  jws: string,
  checks: ReceiptChecks,
): Promise<Receipt & { yes(optionId: string): boolean }> {
  requireAll(checks);
  const parts = jws.split(".");
  const [header, payload, signature] = parts.map(fromBase64Url);
  if (parts.length !== 3 || !header || !payload || !signature) throw new VerificationError("It is not a compact JWS");
  const { alg, typ, kid, crit } = json(header) as Record<string, unknown>;
  if (alg !== "EdDSA" || crit !== undefined) throw new VerificationError("It is not signed with EdDSA");
  if (typ !== "countersign-receipt+jwt") throw new VerificationError("It is not a receipt");
  const key = await publicKey(checks, kid);
  const signed = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf(".")));
  if (!(await crypto.subtle.verify("Ed25519", key, signature, signed)))
    throw new VerificationError("The signature is wrong");

  const receipt = json(payload) as Receipt;
  const must = (claim: string, wanted: unknown) => {
    if (wanted !== undefined && receipt[claim] !== wanted) throw new VerificationError(`It has another ${claim}`);
  };
  must("iss", checks.issuer);
  must("aud", checks.audience);
  if (receipt.owner !== undefined || checks.acceptWithoutOwner !== true) must("owner", checks.owner);
  must("sub", checks.approvalId);
  must("contentHash", checks.contentHash);
  if (checks.content) must("contentHash", await contentHash(checks.content));
  const { resolution } = receipt;
  if (typeof resolution !== "object" || resolution === null) throw new VerificationError("It holds no answer");
  // What named no owner yet said so in the note alone.
  const simulated = receipt.simulated || (receipt.owner === undefined && isSimulated(resolution.note));
  if (simulated && checks.allowSimulated !== true)
    throw new VerificationError("A simulated owner answered, and allowSimulated is off");
  return {
    ...receipt,
    yes: (optionId) =>
      resolution.resolvedBy === "owner" && resolution.kind === "option" && resolution.optionId === optionId,
  };
}

/** Which check is of which type. */
const types = {
  issuer: "a string",
  audience: "a string",
  owner: "a string",
  approvalId: "a string",
  contentHash: "a string",
  content: "an object",
  jwks: "an object",
  jwksUrl: "a string",
  fetch: "a function",
  acceptWithoutOwner: "a boolean",
  allowSimulated: "a boolean",
} as const;

/** Programs without types misspell: what is not there is a mistake, never a check to leave out. */
function requireAll(checks: ReceiptChecks) {
  const given: Record<string, unknown> = { ...checks };
  for (const name of new Set(["issuer", "audience", "owner", ...Object.keys(given)])) {
    const type = types[name as keyof typeof types];
    if (type === undefined) throw new TypeError(`There is no check "${name}"`);
    if (!type.endsWith(` ${typeof given[name]}`) || given[name] === null)
      throw new TypeError(`"${name}" must be ${type}`);
  }
  if (!["approvalId", "content", "contentHash"].some((name) => name in given))
    throw new TypeError('One of "approvalId", "content" and "contentHash" must be given');
}

async function publicKey(checks: ReceiptChecks, kid: unknown): Promise<CryptoKey> {
  const { keys } = checks.jwks ?? (await fetchKeys(checks));
  const jwk = keys.find((each) => each.kid === kid && each.kty === "OKP" && each.crv === "Ed25519");
  if (!jwk) throw new VerificationError("It is signed with a key that does not belong to the service");
  const { kty, crv, x } = jwk;
  return crypto.subtle.importKey("jwk", { kty, crv, x } as JsonWebKey, "Ed25519", false, ["verify"]);
}

async function fetchKeys({ issuer, jwksUrl, fetch = globalThis.fetch }: ReceiptChecks): Promise<Jwks> {
  const reply = await fetch(jwksUrl ?? new URL("/.well-known/jwks.json", issuer), {
    signal: AbortSignal.timeout(10_000),
  });
  if (!reply.ok) throw new VerificationError(`The service's keys cannot be read: HTTP status ${reply.status}`);
  return (await reply.json()) as Jwks;
}

function json(bytes: Uint8Array): unknown {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new VerificationError("It is not a compact JWS");
}
