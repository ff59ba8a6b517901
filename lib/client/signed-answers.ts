import { choseOption } from "./answer";
import { type Content, contentHash, sha256 } from "./content-hash";
import { VerificationError } from "./errors";
import { requireChecks, requireOneOf } from "./named-checks";
import { verifyAssertion } from "./passkey-assertions";
import { checkEntry, parseStatement } from "./signed-statement";
import type { OwnerKey, Resolution } from "./types";

/*
 * An owner's passkey can sign an answer. The verifier needs only the owner's public keys, which it
 * pinned before. Then no one else can forge an answer: not the app, not an agent, and not the
 * service or its operator.
 */

/** The expected values, all from the verifier's own records. Never take them from the answer. */
export type SignedAnswerChecks = {
  /** The service's URL, exactly as in the statement. */
  issuer: string;
  /** The ID of the owner whose answer counts. */
  owner: string;
  /** The client ID of the app that asked. */
  app: string;
  /** The ID of the approval that the verifier waits for. */
  approvalId: string;
  /** The owner's passkeys that the verifier pinned: `keys` of `ownerKeys`. */
  keys: readonly OwnerKey[];
  /** The content of the question about the intended action: the approval as submitted, or its hash. */
  content?: Content;
  contentHash?: string;
  /** The RP ID of the passkeys. The host of `issuer` by default. */
  rpId?: string;
  /** The origins of the pages on which the owner may sign. The origin of `issuer` by default. */
  origins?: readonly string[];
  /**
   * When you asked the question, in epoch milliseconds, from your own records. A passkey that was
   * added later is rejected, because the operator of the service may have added it.
   */
  askedAt?: number;
  /** Whether to accept passkeys that were added after the question, or without `askedAt`. */
  acceptNewKeys?: boolean;
  /**
   * The last counter that you stored for this passkey. After a counter above 0, only a higher one is
   * accepted, because a copy of the passkey may have signed. Most synced passkeys always have 0.
   */
  lastCounter?: number;
} & ({ content: Content } | { contentHash: string }) &
  ({ askedAt: number } | { acceptNewKeys: true });

/** An answer that the owner's passkey signed. */
export type SignedAnswer = {
  /** The ID of the passkey that signed. */
  credentialId: string;
  /** Whether the passkey can be synced to other devices of the owner. */
  synced: boolean;
  /** The passkey's signature counter. Store it as the next `lastCounter`. */
  counter: number;
  /** When the service offered the statement for signing, in epoch milliseconds. */
  offeredAt: number;
  /**
   * Returns whether the owner chose this option.
   * @param values all values of the intended action, by field name; the answer must have exactly
   *   these values. Without `values`, any values count
   */
  yes(optionId: string, values?: Readonly<Record<string, unknown>>): boolean;
};

/** The type of each check. */
const types = {
  issuer: "a string",
  owner: "a string",
  app: "a string",
  approvalId: "a string",
  keys: "an array",
  content: "an object",
  contentHash: "a string",
  rpId: "a string",
  origins: "an array",
  askedAt: "a number",
  acceptNewKeys: "a boolean",
  lastCounter: "a number",
} as const;

/**
 * Verifies that the owner's passkey signed exactly this answer, with nothing but the owner's pinned
 * keys. It needs no network. A valid signature can be of any answer, so act only if
 * `signed.yes(optionId)` returns true. If the option takes fields, pass the values of the intended
 * action. If the action may happen only once, call `approvals.use` first.
 * @param resolution the answer from a receipt, an approval or a webhook
 * @throws {VerificationError} with the reason; {TypeError} if checks are missing, misspelled or of
 * the wrong type
 */
export async function verifySignedAnswer(resolution: Resolution, checks: SignedAnswerChecks): Promise<SignedAnswer> {
  requireChecks("answer", checks, types, ["issuer", "owner", "app", "approvalId", "keys"]);
  requireOneOf(checks, ["content", "contentHash"]);
  if (checks.askedAt === undefined && checks.acceptNewKeys !== true)
    throw new TypeError('Pass "askedAt", or set "acceptNewKeys" to true');
  if (resolution.resolvedBy !== "owner") throw new VerificationError("The owner did not give this answer");
  const { signature } = resolution;
  if (!signature) throw new VerificationError("The answer has no signature of a passkey");

  const statement = parseStatement(signature.statement);
  for (const name of ["issuer", "owner", "app"] as const)
    if (statement[name] !== checks[name])
      throw new VerificationError(`The signed statement's ${name} does not match the expected value`);
  for (const hash of await expectedHashes(checks))
    await checkEntry(statement, resolution, { approvalId: checks.approvalId, contentHash: hash });

  const key = pinnedKey(signature.credentialId, statement.offeredAt, checks);
  const issuer = new URL(checks.issuer);
  const { counter, synced } = await verifyAssertion(signature, {
    challenge: await sha256(new TextEncoder().encode(signature.statement)),
    origins: checks.origins ?? [issuer.origin],
    rpId: checks.rpId ?? issuer.hostname,
    publicKey: key.publicKey,
  });
  const { lastCounter = 0 } = checks;
  if (lastCounter !== 0 && !(counter > lastCounter))
    throw new VerificationError("The passkey's counter did not increase, so a copy of the passkey may have signed");
  return {
    credentialId: key.credentialId,
    synced,
    counter,
    offeredAt: statement.offeredAt,
    yes: (optionId, values) => choseOption(resolution, optionId, values),
  };
}

/** Returns the hashes that the content must have. */
async function expectedHashes({ content, contentHash: hash }: SignedAnswerChecks): Promise<string[]> {
  return [...(hash === undefined ? [] : [hash]), ...(content ? [await contentHash(content)] : [])];
}

/** Returns the owner's key that may have signed a statement at this time. */
function pinnedKey(
  credentialId: string,
  offeredAt: number,
  { keys, askedAt, acceptNewKeys }: SignedAnswerChecks,
): OwnerKey {
  const key = keys.find((each) => each.credentialId === credentialId);
  if (!key) throw new VerificationError("The passkey is not one of the owner's keys");
  if (acceptNewKeys !== true && !(key.since <= (askedAt as number)))
    throw new VerificationError("The passkey was added after the question was asked");
  // Anyone who has a removed passkey can sign an earlier time, so the verifier's own time counts too.
  const { until } = key;
  if (until !== undefined && !(until > offeredAt && (askedAt === undefined || until > askedAt)))
    throw new VerificationError("The passkey was removed before the answer");
  return key;
}
