import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/client/canonical-json";
import { contentHash } from "@/lib/client/content-hash";
import type { OwnerKey } from "@/lib/client/types";
import { anAuthenticator, type PasskeyAlgorithm, type Twist } from "../passkey-authenticator";
import type { Vector, VectorFile } from "./vectors";

/*
 * The devices that sign the vectors, and the answer that each vector varies.
 */

/** When the verifier asked, and when the service offered the statement. */
export const askedAt = 1_795_000_000_000;
export const offeredAt = askedAt + 60_000;
export const issuer = "https://yes.example.com";

export const devices = {
  ES256: anAuthenticator("ES256"),
  EdDSA: anAuthenticator("EdDSA"),
  RS256: anAuthenticator("RS256"),
} as const;
export const coseKeys = Object.fromEntries(Object.values(devices).map(({ id, cose }) => [id, cose]));

/** Returns the public key of a device. */
export const jwkOf = (algorithm: PasskeyAlgorithm) =>
  ({ ...devices[algorithm].publicKey.export({ format: "jwk" }), alg: algorithm }) as OwnerKey["publicKey"];

/** Returns the pinned key of a device. */
export const keyOf = (algorithm: PasskeyAlgorithm, more: Partial<OwnerKey> = {}): OwnerKey => ({
  credentialId: devices[algorithm].id,
  publicKey: jwkOf(algorithm),
  synced: false,
  since: askedAt - 86_400_000,
  ...more,
});

export const content = {
  question: "Pay invoice 7?",
  facts: [{ label: "Amount", value: "86.40 €" }],
  fields: {
    type: "object",
    properties: { amount: { type: "object", format: "money", currency: "EUR" }, rate: { type: "number" } },
  },
  options: [
    { id: "pay", label: "Pay", fields: true },
    { id: "keep", label: "Not yet" },
  ],
  ownerOnly: true,
  once: true,
  risk: "high",
  signedByOwner: true,
};

export const usualChecks: VectorFile["checks"] = {
  issuer,
  owner: "own_1",
  app: "app_1",
  approvalId: "apr_1",
  contentHash: await contentHash(content),
  keys: [keyOf("ES256"), keyOf("EdDSA"), keyOf("RS256")],
  askedAt,
};

/** The answer of most vectors. */
export const paid = {
  kind: "option",
  optionId: "pay",
  values: { rate: 0.5, amount: { currency: "EUR", amount: "86.40" } },
  note: "Before Friday – merci 🚀",
  resolvedBy: "owner",
  resolvedAt: offeredAt + 5000,
} as const;

export const hashed = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

type Answer = { optionId?: string; otherText?: string; values?: object; note?: string };

/** Returns the entry of a statement for an answer. */
export const entryOf = ({ optionId, otherText, values, note }: Answer, more: object = {}) => ({
  approval: "apr_1",
  contentHash: usualChecks.contentHash,
  option: optionId,
  textHash: otherText === undefined ? undefined : hashed(otherText),
  values,
  noteHash: note === undefined ? undefined : hashed(note),
  ...more,
});

/** Returns the members of a statement. */
export const statementOf = (answers: unknown, more: object = {}) => ({
  type: "countersign-answer",
  version: 1,
  ...{ issuer, owner: "own_1", app: "app_1", offeredAt, answers },
  ...more,
});

/** How a vector's signature deviates. */
export type Signing = {
  by?: PasskeyAlgorithm;
  twist?: Twist;
  rpId?: string;
  /** The statement that the device signs; by default, the one that the signature names. */
  challenged?: string;
};

/** Returns a device's signature of a statement. */
export function signatureOf(statement: string, { by = "ES256", twist, rpId, challenged }: Signing = {}) {
  const challenge = createHash("sha256")
    .update(challenged ?? statement)
    .digest("base64url");
  const made = { origin: issuer, ...twist };
  const { id, response } = JSON.parse(devices[by].get({ challenge, rpId: rpId ?? "yes.example.com" }, made));
  const { authenticatorData, clientDataJSON, signature } = response;
  const synced = (Buffer.from(authenticatorData, "base64url")[32]! & 8) !== 0;
  return { statement, credentialId: id, authenticatorData, clientDataJSON, signature, synced };
}

type Variation = Partial<Omit<Vector, "name" | "resolution">> & {
  /** The answer that the owner signs. */
  answer?: Answer;
  /** The text of the statement, or members that differ from the usual statement. */
  statement?: string | object;
  entry?: object;
  signing?: Signing;
  /** Changes to the resolution after the signature. */
  altered?: object;
  /** Changes to the signature after it was made. */
  alteredSignature?: object;
};

/** Returns a vector that differs from a valid signed answer as described. */
export function vector(name: string, variation: Variation = {}): Vector {
  const {
    answer = paid as Answer,
    statement = {},
    entry,
    signing,
    altered,
    alteredSignature,
    checks = {},
    ...rest
  } = variation;
  const text =
    typeof statement === "string" ? statement : canonicalJson(statementOf([entryOf(answer, entry)], statement));
  const { optionId, otherText, values, note } = answer;
  const resolution = {
    kind: optionId === undefined ? "other" : "option",
    ...{ optionId, otherText, values, note, resolvedBy: "owner", resolvedAt: paid.resolvedAt },
    signature: { ...signatureOf(text, signing), ...alteredSignature },
    ...altered,
  } as Vector["resolution"];
  return { name, resolution, checks, assertion: true, ...rest };
}
