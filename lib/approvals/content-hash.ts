import { createHash } from "node:crypto";
import type { Approval } from "./schema";

/*
 * `approval_content_hash` (SQL) hashes the canonical JSON of what was asked; `contentHash` below does the same
 * independently. `approval_current_hash(a)` is the hash of what a row says now. An owner's answer is accepted, in the one
 * UPDATE, only where that hash, the stored `content_hash` and the hash in the form agree; forms send theirs as `seen`.
 * Tests answer with `lib/testing/answers.ts`, which looks first.
 */

type Asked =
  | "question"
  | "options"
  | "backgroundContext"
  | "recommendation"
  | "expiresAt"
  | "defaultOptionId"
  | "ownerOnly";

/** What was asked: an approval has all of it, and whoever asked can put it together. */
export type Content = Pick<Approval, Asked> & {
  /** What was added afterwards, oldest first. */
  additions?: { text: string; createdAt: number }[] | undefined;
};

/**
 * The hash of what was asked: `sha256:` and the SHA-256, in hexadecimal, of its canonical JSON (RFC 8785). Whatever else an
 * approval has plays no part. The database makes the same (`approval_content_hash`); a test holds one against the other.
 */
export function contentHash(content: Content): string {
  const { question, options, backgroundContext, recommendation, expiresAt, defaultOptionId } = content;
  const asked = {
    question,
    backgroundContext,
    recommendation,
    expiresAt,
    defaultOptionId,
    options: options.map(({ id, label, note }) => ({ id, label, note })),
    ownerOnly: content.ownerOnly || undefined,
    additions: content.additions?.length
      ? content.additions.map(({ text, createdAt }) => ({ text, createdAt }))
      : undefined,
  };
  return `sha256:${createHash("sha256").update(canonical(asked)).digest("hex")}`;
}

type Json = string | number | boolean | undefined | readonly Json[] | { readonly [key: string]: Json };

/** Keys in the order of their UTF-16 code units, nothing between them; what is undefined is left out. Whole numbers only. */
function canonical(value: Json): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
