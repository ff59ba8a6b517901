import type { Fields } from "@/lib/approvals/fields/field-schema";
import { readValues } from "@/lib/approvals/fields/field-values";
import { canonicalJson } from "@/lib/client/canonical-json";
import { hashOf } from "@/lib/client/content-hash";

/*
 * A signing request contains the statement that a passkey signs, and everything that the statement
 * covers only as a hash. After the checks in this module, nothing in the request can differ from
 * what the passkey signs. The check hashes each content as received, so it covers fields that this
 * version doesn't know.
 */

/** A question's content, as its hash covers it. */
export type StatedContent = {
  question: string;
  options: { id: string; label: string; note?: string; style?: string; fields?: true }[];
  facts?: { label: string; value: string }[];
  fields?: Fields;
  backgroundContext?: string;
  recommendation?: string;
  expiresAt?: number;
  defaultOptionId?: string;
  risk?: string;
  ownerOnly?: true;
  once?: true;
  additions?: { text: string; createdAt: number }[];
  [unknown: string]: unknown;
};

/** One question of a signing request, with its answer. */
export type CheckedAnswer = {
  approval: string;
  contentHash: string;
  content: StatedContent;
  /** The ID of the chosen option. Absent for an answer in the owner's own words. */
  option?: string;
  otherText?: string;
  note?: string;
  values?: Record<string, unknown>;
};

/** A signing request whose contents, texts and notes match the statement's hashes. */
export type CheckedRequest = {
  /** The statement as canonical JSON (RFC 8785), which the passkey signs. */
  statement: string;
  /** The origin of the service. */
  issuer: string;
  /** The client ID of the app that asked. */
  app: string;
  owner: string;
  /** When the service created the request, in epoch milliseconds. */
  offeredAt: number;
  answers: CheckedAnswer[];
};

/** Thrown for a signing request that must not be signed. The message is a sentence for the owner. */
export class RequestRefusal extends Error {}

const refuse = (sentence: string): never => {
  throw new RequestRefusal(sentence);
};
const malformed = "This text isn’t a signing request. Copy the whole request from the signing page.";
const isNewer = (what: string) =>
  `This signing request has a part that this lens doesn’t know: ${what}. Get the current lens.`;

/**
 * Reads and checks a signing request.
 * @param text the request as canonical JSON
 * @throws {RequestRefusal} if it isn't a signing request, or if its parts don't match
 */
export async function readSigningRequest(text: string): Promise<CheckedRequest> {
  const request = objectOf(parsed(text));
  if (!isCanonical(request, text))
    refuse("This signing request is not in the form in which the service writes it. Copy it again.");
  knowsOnly(request, ["contents", "statement", "texts"], "request");
  const statement = objectOf(request.statement);
  const { issuer, app, owner, offeredAt } = checkedStatement(statement);
  const [answers, contents, texts] = [statement.answers, request.contents, request.texts].map(listOf);
  if (!answers?.length || contents?.length !== answers.length || texts?.length !== answers.length)
    refuse("This signing request doesn’t show each question that it would sign. Don’t sign.");
  const checked: CheckedAnswer[] = [];
  for (const [index, answer] of (answers ?? []).entries())
    checked.push(await checkedAnswer(objectOf(answer), objectOf(contents?.[index]), objectOf(texts?.[index])));
  if (new Set(checked.map(({ approval }) => approval)).size !== checked.length)
    refuse("This signing request answers one question twice. Don’t sign.");
  return { statement: canonicalJson(statement), issuer, app, owner, offeredAt, answers: checked };
}

function checkedStatement(statement: Record<string, unknown>) {
  if (statement.type !== "countersign-answer") refuse(malformed);
  if (statement.version !== 1) refuse(isNewer(`version ${String(statement.version)}`));
  knowsOnly(statement, ["answers", "app", "issuer", "offeredAt", "owner", "type", "version"], "statement");
  const { issuer, app, owner, offeredAt } = statement;
  if (typeof app !== "string" || typeof owner !== "string" || typeof issuer !== "string") return refuse(malformed);
  if (typeof offeredAt !== "number" || Number.isNaN(new Date(offeredAt).getTime())) return refuse(malformed);
  if (!isOrigin(issuer)) refuse("This signing request names no service. Don’t sign.");
  return { issuer, app, owner, offeredAt };
}

/** Returns one answer, after a comparison of its parts with the statement. */
async function checkedAnswer(
  answer: Record<string, unknown>,
  content: Record<string, unknown>,
  texts: Record<string, unknown>,
): Promise<CheckedAnswer> {
  knowsOnly(answer, ["approval", "contentHash", "noteHash", "option", "textHash", "values"], "answer");
  knowsOnly(texts, ["note", "otherText"], "text");
  const { approval, contentHash, option, textHash, values } = answer;
  if (typeof approval !== "string" || typeof contentHash !== "string") return refuse(malformed);
  if ((await hashOf(canonicalJson(content))) !== contentHash)
    refuse(
      "The question in this signing request was changed: it doesn’t match the hash that you would sign. Don’t sign.",
    );
  const shown = contentOf(content);
  if ((option === undefined) === (textHash === undefined)) refuse(malformed);
  if (option !== undefined && shown.options.filter(({ id }) => id === option).length !== 1)
    refuse("This signing request answers with an option that the question doesn’t have. Don’t sign.");
  const otherText = await textOf(texts.otherText, textHash, "answer");
  const note = await textOf(texts.note, answer.noteHash, "note");
  const given = values === undefined ? undefined : objectOf(values);
  if (given) checkValues(shown.fields, given);
  return {
    ...{ approval, contentHash, content: shown },
    ...(option !== undefined && { option: option as string }),
    ...(otherText !== undefined && { otherText }),
    ...(note !== undefined && { note }),
    ...(given && { values: given }),
  };
}

/** Returns the owner's text, which must be present if and only if the statement has its hash. */
async function textOf(text: unknown, hash: unknown, name: "answer" | "note"): Promise<string | undefined> {
  if (text === undefined && hash === undefined) return undefined;
  if (typeof text !== "string" || (await hashOf(text)) !== hash)
    return refuse(
      `Your ${name} in this signing request was changed: it doesn’t match the hash that you would sign. Don’t sign.`,
    );
  return text;
}

/** Checks that each value belongs to a field of the question and is one that the field allows. */
function checkValues(fields: Fields | undefined, values: Record<string, unknown>): void {
  if (!fields) throw new RequestRefusal("This signing request has values, but the question asks for none. Don’t sign.");
  const [problem] = readValues(fields, values).problems;
  if (problem) refuse(`The question doesn’t allow the value of ${problem[0]}: ${problem[1]}. Don’t sign.`);
}

/** Returns the content with its type. Unknown fields stay, because the lens shows them too. */
function contentOf(content: Record<string, unknown>): StatedContent {
  const { question, options, facts, additions, fields } = content;
  const isText = (value: unknown) => typeof value === "string";
  const isListOf = (list: unknown, ...names: string[]) =>
    Array.isArray(list) && list.every((each) => names.every((name) => isText(objectOf(each)[name])));
  const isWhole =
    isText(question) &&
    isListOf(options, "id", "label") &&
    (facts === undefined || isListOf(facts, "label", "value")) &&
    (additions === undefined || isListOf(additions, "text")) &&
    (fields === undefined || Object.values(objectOf(objectOf(fields).properties)).every(objectOf));
  return isWhole ? (content as StatedContent) : refuse(malformed);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(malformed);
  }
}

function isCanonical(request: unknown, text: string): boolean {
  try {
    return canonicalJson(request) === text;
  } catch {
    return false;
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(malformed);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : refuse(malformed));

const knowsOnly = (value: object, names: readonly string[], where: string) => {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) refuse(isNewer(`${JSON.stringify(unknown.slice(0, 40))} in the ${where}`));
};

const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
