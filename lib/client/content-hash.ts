import { canonicalJson } from "./canonical";

/** What an approval asks: what its `contentHash` is made of. An approval as the API gives it can be passed as it is. */
export type Content = {
  question: string;
  options: readonly { id: string; label: string; note?: string | undefined; style?: string | undefined }[];
  backgroundContext?: string | undefined;
  recommendation?: string | undefined;
  expiresAt?: number | undefined;
  defaultOptionId?: string | undefined;
  ownerOnly?: boolean | undefined;
  risk?: string | undefined;
  /** What the app added after the owner asked for more, oldest first. */
  additions?: readonly { text: string; createdAt: number }[] | undefined;
};

/**
 * The hash of what is asked, the same that the service gives as `contentHash`: SHA-256 of its JSON as RFC 8785 writes it,
 * without what is absent.
 * @returns `sha256:` and 64 lower-case hex digits
 */
export async function contentHash(content: Content): Promise<string> {
  const { question, options, backgroundContext, recommendation, expiresAt, defaultOptionId, risk } = content;
  const text = canonicalJson({
    question,
    backgroundContext,
    recommendation,
    expiresAt,
    defaultOptionId,
    risk,
    options: options.map(({ id, label, note, style }) => ({ id, label, note, style })),
    ...(content.ownerOnly === true && { ownerOnly: true }),
    ...(content.additions?.length && {
      additions: content.additions.map(({ text, createdAt }) => ({ text, createdAt })),
    }),
  });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
