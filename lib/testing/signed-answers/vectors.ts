import { readFileSync } from "node:fs";
import type { SignedAnswerChecks } from "@/lib/client/signed-answers";
import type { OwnerKey, Resolution } from "@/lib/client/types";

/*
 * Test vectors of signed answers, which the clients in TypeScript, Python and Go all verify. A
 * simulated device signs them (`make-vectors.ts`), so each run writes other signatures.
 */

/** The same file for each package that runs its tests on its own. */
export const vectorFiles = [
  "clients/go/testdata/signed-answers.json",
  "clients/python/tests/signed_answers.json",
] as const;

export type Vector = {
  name: string;
  resolution: Omit<Resolution, "signature"> & { signature?: Record<string, unknown> };
  /** Differences from the usual checks. `null` omits a check. */
  checks: Record<string, unknown>;
  /** A part of the error's message, or absent if the answer is valid. */
  refused?: string;
  /**
   * Whether the assertion itself is valid, so that WebAuthn libraries accept it. Absent if libraries
   * differ.
   */
  assertion?: boolean;
};

/** A question, and the canonical JSON that its hash covers. */
export type HashedContent = { name: string; content: object; canonical: string };

export type VectorFile = {
  /** The usual checks, without `keys` of other vectors. */
  checks: SignedAnswerChecks & { keys: OwnerKey[]; contentHash: string };
  content: object;
  contents: HashedContent[];
  /** The public keys in COSE, as base64url by credential ID. */
  cose: Record<string, string>;
  vectors: Vector[];
};

export const readVectors = (): VectorFile => JSON.parse(readFileSync(vectorFiles[0], "utf8"));

/** Returns the checks of a vector. */
export function checksOf(file: VectorFile, { checks }: Vector): SignedAnswerChecks {
  const all: [string, unknown][] = Object.entries({ ...file.checks, ...checks });
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as SignedAnswerChecks;
}
