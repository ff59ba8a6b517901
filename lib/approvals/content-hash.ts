import { hash } from "node:crypto";
import type { Approval } from "./schema";

/*
 * `approval_current_hash(a)` is the hash of what a row says now. An owner's answer is accepted, in the one UPDATE, only where
 * that hash, the stored `content_hash` and the hash in the form agree; forms send theirs as `seen`. Tests answer with
 * `lib/testing/answers.ts`, which looks first.
 */

type Asked = "question" | "options" | "backgroundContext" | "recommendation";
type Terms = "expiresAt" | "defaultOptionId" | "ownerOnly" | "risk";

/** What was asked: an approval has all of it, and whoever asked can put it together. */
export type Content = Pick<Approval, Asked | Terms> & {
  /** What was added afterwards, oldest first. */
  additions?: { text: string; createdAt: number }[] | undefined;
};

/**
 * The hash of what was asked: `sha256:` and the SHA-256, in hexadecimal, of its canonical JSON (RFC 8785). Whatever else an
 * approval has plays no part. The database makes the same (`approval_content_hash`); a test holds one against the other.
 */
export function contentHash(content: Content): string {
  const { question, options, backgroundContext, recommendation, expiresAt, defaultOptionId, risk } = content;
  // In the order that RFC 8785 asks for, and every text whole (lib/text/text.ts), so that what JSON.stringify writes is canonical.
  const asked = {
    additions: content.additions?.length
      ? content.additions.map(({ text, createdAt }) => ({ createdAt, text }))
      : undefined,
    backgroundContext,
    defaultOptionId,
    expiresAt,
    options: options.map(({ id, label, note, style }) => ({ id, label, note, style })),
    ownerOnly: content.ownerOnly || undefined,
    question,
    recommendation,
    risk,
  };
  return `sha256:${hash("sha256", JSON.stringify(asked), "hex")}`;
}
