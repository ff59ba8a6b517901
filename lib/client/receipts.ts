import { choseOption, isSimulated } from "./answer";
import { fromBase64Url } from "./base64";
import { type Content, contentHash } from "./content-hash";
import { VerificationError } from "./errors";
import { requireChecks, requireOneOf } from "./named-checks";
import { checkTimes, findKey, type Jwks, type ReceiptKey } from "./receipt-keys";
import type { Resolution } from "./types";

/** The claims of a receipt: which app asked which question, and who gave which answer. */
export type Receipt = {
  /** The URL of the service that signed the receipt. */
  iss: string;
  /** The client ID of the app that asked. */
  aud: string;
  /**
   * The ID of the owner that the app asked. Absent in receipts from versions that did not name
   * owners.
   */
  owner?: string;
  /** The approval's ID. */
  sub: string;
  /** When the approval was resolved, in epoch seconds. */
  iat: number;
  contentHash: string;
  /** The answer. If a passkey signed the answer, pass `resolution` to `verifySignedAnswer`. */
  resolution: Resolution;
  [claim: string]: unknown;
};

/** A receipt that has the expected claims and a valid signature. */
export type VerifiedReceipt = Receipt & {
  /**
   * Returns whether the owner, and no one else, chose this option.
   * @param values all values of the intended action, by field name; the answer must have exactly
   *   these values. Without `values`, any values count, so read them from `resolution.values`
   */
  yes(optionId: string, values?: Readonly<Record<string, unknown>>): boolean;
};

export type { Jwks, ReceiptKey };

/** The expected claims. Either the approval's ID or the content of the question is required. */
export type ReceiptChecks = {
  /** The service's URL, exactly as in the receipt. */
  issuer: string;
  /**
   * The service's public keys. By default, they are fetched from `jwksUrl` or the standard
   * location.
   */
  jwks?: Jwks;
  jwksUrl?: string;
  /** The client ID of the app that asked. */
  audience: string;
  /**
   * The ID of the owner whose answer counts. It is `owner` in the token response, and `sub` in
   * introspection and webhooks.
   */
  owner: string;
  /**
   * The approval's ID from the verifier's own records. Don't take it from the agent, which could
   * present any ID.
   */
  approvalId?: string;
  /**
   * The content of the question about the intended action: the approval as submitted, or its hash.
   */
  content?: Content;
  contentHash?: string;
  /**
   * Whether to accept receipts from versions that did not name the owner. Such receipts do not
   * prove who answered. A newly fetched receipt always names the owner.
   */
  acceptWithoutOwner?: boolean;
  /**
   * When you got the receipt, in epoch milliseconds, from your own records. Never take the time from
   * the receipt or from an agent. Pass it for a stored receipt, so that the receipt stays valid even
   * if the service later revokes its key.
   */
  receivedAt?: number;
  /** Whether to accept an answer of a simulated owner, for use in tests. */
  allowSimulated?: boolean;
  fetch?: typeof globalThis.fetch;
} & ({ approvalId: string } | { content: Content } | { contentHash: string });

/**
 * Verifies a receipt with nothing but the service's public keys. A valid receipt can contain any
 * answer, so act only if `receipt.yes(optionId)` returns true. If the option takes fields, pass the
 * values of the intended action: `receipt.yes(optionId, values)` returns false for any others. If
 * the action may happen only once, call `approvals.use` first.
 * @throws {VerificationError} with the reason; {TypeError} if checks are missing, misspelled or of
 * the wrong type
 */
export async function verifyReceipt(jws: string, checks: ReceiptChecks): Promise<VerifiedReceipt> {
  requireChecks("receipt", checks, types, ["issuer", "audience", "owner"]);
  requireOneOf(checks, ["approvalId", "content", "contentHash"]);
  const parts = jws.split(".");
  const [header, payload, signature] = parts.map(fromBase64Url);
  if (parts.length !== 3 || !header || !payload || !signature)
    throw new VerificationError("The receipt is not a compact JWS");
  const { alg, typ, kid, crit } = json(header) as Record<string, unknown>;
  if (alg !== "EdDSA" || crit !== undefined) throw new VerificationError("The receipt is not signed with EdDSA");
  if (typ !== "countersign-receipt+jwt") throw new VerificationError("The token is not a receipt");
  const key = findKey(checks.jwks ?? (await fetchKeys(checks)), kid, checks.receivedAt);
  const signed = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf(".")));
  if (!(await crypto.subtle.verify("Ed25519", await imported(key), signature, signed)))
    throw new VerificationError("The receipt's signature is invalid");

  const receipt = json(payload) as Receipt;
  checkTimes(key, receipt.iat, checks.receivedAt);
  const must = (claim: string, wanted: unknown) => {
    if (wanted !== undefined && receipt[claim] !== wanted)
      throw new VerificationError(`The receipt's claim ${claim} does not match the expected value`);
  };
  must("iss", checks.issuer);
  must("aud", checks.audience);
  if (receipt.owner !== undefined || checks.acceptWithoutOwner !== true) must("owner", checks.owner);
  must("sub", checks.approvalId);
  must("contentHash", checks.contentHash);
  if (checks.content) must("contentHash", await contentHash(checks.content));
  const { resolution } = receipt;
  if (typeof resolution !== "object" || resolution === null) throw new VerificationError("The receipt has no answer");
  // In older receipts, which name no owner, only the note shows that the answer was simulated.
  const simulated = receipt.simulated || (receipt.owner === undefined && isSimulated(resolution.note));
  if (simulated && checks.allowSimulated !== true)
    throw new VerificationError("A simulated owner answered, but allowSimulated is not true");
  return {
    ...receipt,
    yes: (optionId, values) => choseOption(resolution, optionId, values),
  };
}

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
  receivedAt: "a number",
  acceptWithoutOwner: "a boolean",
  allowSimulated: "a boolean",
} as const;

const imported = ({ kty, crv, x }: ReceiptKey): Promise<CryptoKey> =>
  crypto.subtle.importKey("jwk", { kty, crv, x } as JsonWebKey, "Ed25519", false, ["verify"]);

async function fetchKeys({ issuer, jwksUrl, fetch = globalThis.fetch }: ReceiptChecks): Promise<Jwks> {
  const reply = await fetch(jwksUrl ?? new URL("/.well-known/jwks.json", issuer), {
    signal: AbortSignal.timeout(10_000),
  });
  if (!reply.ok) throw new VerificationError(`Could not read the service's keys: HTTP status ${reply.status}`);
  return (await reply.json()) as Jwks;
}

function json(bytes: Uint8Array): unknown {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Invalid JSON is reported by the error below.
  }
  throw new VerificationError("The receipt is not a compact JWS");
}
