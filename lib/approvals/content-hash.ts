import { hash } from "node:crypto";
import type { Approval } from "./schema";

/*
 * An owner's answer must apply to exactly the question they saw. The UPDATE that accepts an answer
 * requires three equal hashes: the row's current hash (`approval_current_hash`), the stored
 * `content_hash`, and the form's `seen`. Tests answer with `lib/testing/answer-approval.ts`, which
 * reads the hash first.
 */

type ContentField = "question" | "facts" | "fields" | "options" | "backgroundContext" | "recommendation";
type Terms = "expiresAt" | "defaultOptionId" | "ownerOnly" | "once" | "risk" | "signedByOwner";

/**
 * The parts of an approval that its hash covers. The asking app has all of them, so it can compute
 * the hash too.
 */
export type Content = Pick<Approval, ContentField | Terms> & {
  /** The app's additions, oldest first. */
  additions?: { text: string; createdAt: number }[] | undefined;
};

/**
 * Returns the hash of a question's content: `sha256:` and the SHA-256, in hexadecimal, of its
 * canonical JSON (RFC 8785). The database computes the same hash (`approval_content_hash`), and a
 * test compares the two.
 */
export const contentHash = (content: Content): string =>
  // The keys are in RFC 8785's order and the texts well-formed (lib/text/text-schema.ts), so
  // JSON.stringify writes canonical JSON.
  `sha256:${hash("sha256", JSON.stringify(coveredContent(content)), "hex")}`;

/** Returns what the hash of a question's content covers, with its keys in RFC 8785's order. */
export function coveredContent(content: Content): Record<string, unknown> {
  const { question, facts, options, backgroundContext, recommendation, expiresAt, defaultOptionId, risk } = content;
  return {
    additions: content.additions?.length
      ? content.additions.map(({ text, createdAt }) => ({ createdAt, text }))
      : undefined,
    backgroundContext,
    defaultOptionId,
    expiresAt,
    facts: facts?.length ? facts.map(({ label, value }) => ({ label, value })) : undefined,
    fields: content.fields && sortKeys(content.fields),
    once: content.once || undefined,
    options: options.map(({ fields, id, label, note, style }) => ({
      fields: fields || undefined,
      id,
      label,
      note,
      style,
    })),
    ownerOnly: content.ownerOnly || undefined,
    question,
    recommendation,
    risk,
    signedByOwner: content.signedByOwner || undefined,
  };
}

/** Returns a JSON value with its keys in the order of RFC 8785, at every depth. */
export function sortKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortKeys) as T;
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, held]) => [name, sortKeys(held)])) as T;
}
