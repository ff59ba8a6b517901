import { canonicalJson } from "./canonical-json";
import { hashOf } from "./content-hash";
import { VerificationError } from "./errors";
import type { Resolution } from "./types";

/*
 * A statement is what the owner's passkey signs: canonical JSON (RFC 8785) that names the service,
 * the owner, the app, and for each question its content and its answer. A batch has several answers
 * in one statement.
 */

/** One question and its answer in a statement. Hashes are `sha256:` and 64 hex digits. */
type Entry = {
  approval: string;
  contentHash: string;
  option?: string;
  textHash?: string;
  values?: Record<string, unknown>;
  noteHash?: string;
};

const entryMembers = ["approval", "contentHash", "option", "textHash", "values", "noteHash"];

export type Statement = {
  answers: Entry[];
  app: string;
  issuer: string;
  /** When the service offered the statement for signing, in epoch milliseconds. */
  offeredAt: number;
  owner: string;
  type: string;
  version: number;
};

const malformed = () => new VerificationError("The signed statement is malformed");

/** Parses a statement of version 1. @throws {VerificationError} if it is not one */
export function parseStatement(text: string): Statement {
  let value: Partial<Statement> | null;
  try {
    value = JSON.parse(text);
    if (canonicalJson(value) !== text) value = null;
  } catch {
    value = null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new VerificationError("The signed statement is not canonical JSON");
  if (value.type !== "countersign-answer")
    throw new VerificationError("The signed statement's type is not countersign-answer");
  if (value.version !== 1) throw new VerificationError("The signed statement's version is not supported");
  // Canonical JSON sorts the names. A member that this version does not know could change the meaning.
  if (Object.keys(value).join() !== "answers,app,issuer,offeredAt,owner,type,version") throw malformed();
  const { answers, offeredAt } = value;
  if (!Number.isSafeInteger(offeredAt) || !Array.isArray(answers)) throw malformed();
  for (const entry of answers)
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) throw malformed();
  return value as Statement;
}

/**
 * Checks that a statement has one entry for the approval, and that the entry has the content and
 * exactly this answer.
 * @throws {VerificationError} with the difference
 */
export async function checkEntry(
  { answers }: Statement,
  resolution: Resolution,
  expected: { approvalId: string; contentHash: string },
): Promise<void> {
  const [entry, other] = answers.filter(({ approval }) => approval === expected.approvalId);
  if (!entry || other) throw new VerificationError("The signed statement does not have this approval exactly once");
  const same = (name: keyof Entry, wanted: unknown, what = "answer") => {
    if (!isSame(entry[name], wanted))
      throw new VerificationError(`The signed statement's ${name} does not match the ${what}`);
  };
  if (Object.keys(entry).some((name) => !entryMembers.includes(name))) throw malformed();
  if ((entry.option === undefined) === (entry.textHash === undefined)) throw malformed();
  const { kind } = resolution;
  const [option, text, note] = [resolution.optionId, resolution.otherText, resolution.note].map(given);
  same("contentHash", expected.contentHash, "expected value");
  same("option", kind === "option" ? option : undefined);
  same("textHash", kind === "other" ? await hashed(text) : undefined);
  if ((kind === "option" ? text : option) !== undefined)
    throw new VerificationError("The answer has an option and a text, but only one of them is signed");
  same("values", resolution.values ?? undefined);
  same("noteHash", await hashed(note));
}

/** Null and an empty text count as absent. */
const given = (text: unknown) => (text === null || text === "" ? undefined : text);

/** Returns whether two JSON values are equal. An absent value equals only an absent one. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

const hashed = async (text: unknown) => (text === undefined ? undefined : hashOf(wellFormed(text)));

/** Returns a text that has one encoding in UTF-8. Unpaired surrogates would all be encoded alike. */
function wellFormed(text: unknown): string {
  if (typeof text !== "string" || /\p{Surrogate}/u.test(text))
    throw new VerificationError("The answer is not valid Unicode text");
  return text;
}
