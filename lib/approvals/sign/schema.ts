import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { epochMillis } from "@/lib/timestamp-schema";

/*
 * An owner's passkey can sign an answer. The WebAuthn challenge is the SHA-256 of a statement, which
 * is canonical JSON (RFC 8785) about the question and its answer. A signature therefore proves,
 * without trust in this service, which answer the owner's device approved.
 */

/**
 * Whether the app asks for a signed answer: always (true), always and signed in a lens, or if the
 * owner has a passkey.
 */
export const SignedByOwner = z.union([z.boolean(), z.enum(["when-possible", "in-lens"])], {
  error: 'Must be true, false, "when-possible" or "in-lens"',
});
export type SignedByOwner = z.infer<typeof SignedByOwner>;

/** Whether the question requires a signature, and therefore an answer of the owner. */
export const requiresSignature = (signedByOwner: SignedByOwner | undefined): boolean =>
  signedByOwner === true || signedByOwner === "in-lens";

const base64url = z.string().meta({ pattern: "^[A-Za-z0-9_-]+$" });

/** A passkey's signature of an answer. `credentialId` and the byte strings are base64url. */
export const AnswerSignature = z
  .object({
    statement: z
      .string()
      .describe("The signed statement, as canonical JSON (RFC 8785). Its SHA-256 is the WebAuthn challenge."),
    credentialId: base64url.describe("The passkey's credential ID, as in GET `/api/owner/keys`."),
    authenticatorData: base64url.describe("The authenticator data (WebAuthn level 3, section 6.1), in base64url."),
    clientDataJSON: base64url.describe("The client data (WebAuthn level 3, section 5.8.1), in base64url."),
    signature: base64url.describe("The signature over the authenticator data and the client data’s SHA-256."),
    synced: z.boolean().describe("Whether the passkey can be synced to other devices of the owner."),
  })
  .meta({ id: "AnswerSignature" });
export type AnswerSignature = z.infer<typeof AnswerSignature>;

/**
 * Whether the owner's answer needs a signature: `required`, `lens` if the owner must sign in a lens,
 * or `impossible` if it needs a signature but the owner has no passkey.
 */
export type Signing = "required" | "lens" | "impossible";

/**
 * The statement to sign, the options for the browser's passkey dialog, and the signing request that
 * the page shows before. `statement` and `request` are the canonical JSON of a {@link Statement} and
 * of a {@link SigningRequest}. `lens` is the URL of the operator's lens, if there is one.
 */
export type SignatureOffer = {
  statement: string;
  request: string;
  lens?: string;
  options: PublicKeyCredentialRequestOptionsJSON;
};

/** An entry of a statement: one question with its answer. */
export type StatedAnswer = {
  approval: string;
  contentHash: string;
  /** The chosen option's ID, or the hash of the owner's own words. */
  option?: string;
  textHash?: string;
  values?: Record<string, unknown>;
  noteHash?: string;
};

/** What a passkey signs. `offeredAt` is in epoch milliseconds, and `issuer` is the service's URL. */
export type Statement = {
  answers: StatedAnswer[];
  app: string;
  issuer: string;
  offeredAt: number;
  owner: string;
  type: "countersign-answer";
  version: 1;
};

/**
 * A statement with everything that its hashes cover, one entry in `contents` and `texts` for each
 * answer. The signing sheet and the lens show it, and check the hashes.
 */
export type SigningRequest = {
  contents: Record<string, unknown>[];
  statement: Statement;
  texts: { otherText?: string; note?: string }[];
};

const PublicKeyJwk = z
  .object({
    kty: z.string().describe("The key type: `EC`, `OKP` or `RSA`."),
    alg: z.string().describe("The algorithm of signatures: `ES256`, `EdDSA` or `RS256`."),
    crv: z.string().optional().describe("The curve of an `EC` or `OKP` key: `P-256` or `Ed25519`."),
    x: base64url.optional().describe("The x coordinate of an `EC` key, or the public key of an `OKP` key."),
    y: base64url.optional().describe("The y coordinate of an `EC` key."),
    n: base64url.optional().describe("The modulus of an `RSA` key."),
    e: base64url.optional().describe("The exponent of an `RSA` key."),
  })
  .meta({ id: "PublicKeyJwk", description: "A public key as a JSON Web Key (RFC 7517): ES256, EdDSA or RS256." });

const OwnerKey = z
  .object({
    credentialId: base64url.describe("The passkey's credential ID, in base64url."),
    publicKey: PublicKeyJwk,
    synced: z
      .boolean()
      .optional()
      .describe("Whether the passkey can be synced to other devices; absent until an older passkey is used."),
    since: epochMillis().describe("When the owner added the passkey, in epoch milliseconds."),
    until: epochMillis().optional().describe("When the owner removed the passkey, in epoch milliseconds."),
  })
  .meta({ id: "OwnerKey" });

export const OwnerKeys = z
  .object({
    owner: z.string().describe("The owner's ID, as in receipts and statements."),
    rpId: z.string().describe("The WebAuthn relying party ID: the service's host."),
    origins: z.array(z.string()).describe("The origins whose pages can get signatures."),
    keys: z.array(OwnerKey).describe("The owner's keys, oldest first."),
  })
  .meta({ id: "OwnerKeys" });
export type OwnerKeys = z.infer<typeof OwnerKeys>;
