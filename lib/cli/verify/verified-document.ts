import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Content } from "@/lib/client/content-hash";
import type { OwnerKey, Resolution } from "@/lib/client/types";
import { fileNamed, OperatorError } from "../command";

/** What `verify` verifies: a receipt, or an approval as the API returns it. */
export type VerifiedDocument =
  | { kind: "receipt"; jws: string }
  | {
      kind: "approval";
      id: string;
      app: string;
      contentHash: string;
      content: Content;
      resolution: Resolution;
    };

const GivenAnswer = z.looseObject({
  kind: z.enum(["option", "other"]),
  resolvedBy: z.enum(["owner", "api"]),
  resolvedAt: z.number(),
});
const Question = z.looseObject({
  question: z.string(),
  options: z.array(z.looseObject({ id: z.string(), label: z.string() })).min(1),
});
const Approval = Question.extend({
  _id: z.string().optional(),
  id: z.string().optional(),
  clientId: z.string(),
  contentHash: z.string(),
  resolution: GivenAnswer.optional(),
}).refine(({ _id, id }) => _id ?? id);
const Jwk = z.looseObject({ kty: z.string() });
const PinnedKey = z.looseObject({
  credentialId: z.string(),
  publicKey: z.custom<OwnerKey["publicKey"]>((value) => Jwk.safeParse(value).success),
  since: z.number(),
  until: z.number().optional(),
});
const Keys = z.object({
  keys: z.array(PinnedKey),
  owner: z.string().optional(),
  rpId: z.string().optional(),
  origins: z.array(z.string()).optional(),
});
const ServiceKeys = z.looseObject({ keys: z.array(z.looseObject({})) });

/**
 * Reads a receipt or an approval from a file, or from stdin for `-`.
 * @throws {OperatorError} if the file has neither
 */
export function readDocument(path: string): VerifiedDocument {
  const text = readText(path).trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return { kind: "receipt", jws: text };
  const value = parse(text);
  const receipt = z.object({ receipt: z.string() }).safeParse(value);
  if (receipt.success) return { kind: "receipt", jws: receipt.data.receipt };
  const approval = Approval.safeParse(value);
  if (!approval.success)
    throw new OperatorError(`${named(path)} contains neither a receipt nor an approval from the API.`);
  const { _id, id = "", clientId, contentHash, resolution } = approval.data;
  if (!resolution) throw new OperatorError("The approval has no answer yet.");
  return {
    kind: "approval",
    id: _id ?? id,
    app: clientId,
    contentHash,
    content: approval.data as Content,
    resolution: resolution as Resolution,
  };
}

/** Reads the content of a question as the app submitted it. */
export const readContent = (path: string): Content =>
  readAs(path, Question, "a question as the app submitted it, in JSON") as Content;

/** Reads the owner's pinned passkeys, as in GET `/api/owner/keys`. */
export const readPinnedKeys = (path: string): z.infer<typeof Keys> =>
  readAs(path, Keys, "the owner's keys as in GET /api/owner/keys");

/** Reads the service's public keys, as in `/.well-known/jwks.json`. */
export const readServiceKeys = (path: string): { keys: object[] } =>
  readAs(path, ServiceKeys, "keys as in /.well-known/jwks.json");

function readAs<T>(path: string, schema: z.ZodType<T>, what: string): T {
  const read = schema.safeParse(parse(readText(path)));
  if (!read.success) throw new OperatorError(`${named(path)} does not contain ${what}.`);
  return read.data;
}

function readText(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : fileNamed(path), "utf8");
  } catch (error) {
    throw new OperatorError(`Couldn't read ${named(path)}: ${(error as Error).message}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const named = (path: string) => (path === "-" ? "The input" : path);
