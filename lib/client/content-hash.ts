import { canonicalJson } from "./canonical-json";

/**
 * The content of an approval that its `contentHash` covers. You can pass an approval from the API
 * unchanged.
 */
export type Content = {
  question: string;
  facts?: readonly { label: string; value: string }[] | undefined;
  fields?: object | undefined;
  options: readonly {
    id: string;
    label: string;
    note?: string | undefined;
    style?: string | undefined;
    fields?: boolean | undefined;
  }[];
  backgroundContext?: string | undefined;
  recommendation?: string | undefined;
  expiresAt?: number | undefined;
  defaultOptionId?: string | undefined;
  ownerOnly?: boolean | undefined;
  once?: boolean | undefined;
  risk?: string | undefined;
  signedByOwner?: boolean | string | undefined;
  /** The app's additions, oldest first. */
  additions?: readonly { text: string; createdAt: number }[] | undefined;
};

/**
 * Returns the hash of a question, equal to the service's `contentHash`: the SHA-256 of the
 * question's present fields as JSON in the form of RFC 8785.
 * @returns `sha256:` and 64 lower-case hex digits
 */
export async function contentHash(content: Content): Promise<string> {
  const { question, facts, options, backgroundContext, recommendation, expiresAt, defaultOptionId, risk } = content;
  const { signedByOwner } = content;
  const text = canonicalJson({
    question,
    ...withoutNull({ backgroundContext, recommendation, expiresAt, defaultOptionId, risk }),
    options: options.map(({ id, label, note, style, fields }) => ({
      ...withoutNull({ id, label, note, style }),
      ...(fields === true && { fields: true }),
    })),
    // The service counts empty fields as absent.
    ...(content.fields && Object.keys(content.fields).length > 0 && { fields: content.fields }),
    ...(facts?.length && { facts: facts.map(({ label, value }) => ({ label, value })) }),
    // The service turns on ownerOnly for a question that requires a signature.
    ...((content.ownerOnly === true || signedByOwner === true || signedByOwner === "in-lens") && { ownerOnly: true }),
    ...(content.once === true && { once: true }),
    ...(signedByOwner && { signedByOwner }),
    ...(content.additions?.length && {
      additions: content.additions.map(({ text, createdAt }) => ({ text, createdAt })),
    }),
  });
  return hashOf(text);
}

/** Null counts as absent. */
const withoutNull = (members: object) => Object.fromEntries(Object.entries(members).filter(([, it]) => it !== null));

/** Returns the hash of a text in UTF-8: `sha256:` and 64 lower-case hex digits. */
export async function hashOf(text: string): Promise<string> {
  const digest = await sha256(new TextEncoder().encode(text));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
