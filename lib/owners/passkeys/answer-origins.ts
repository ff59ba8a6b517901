import { env } from "@/lib/config/env";

/**
 * Returns the origins of pages at which an owner's passkey may sign an answer: our own, and those of
 * the operator's lenses (`LENS_ORIGINS`).
 */
export const answerOrigins = (): string[] => [env().publicUrl, ...env().lensOrigins];

/**
 * Returns the URL of the operator's lens: the root of the first origin in `LENS_ORIGINS`; undefined
 * if there is none.
 */
export const lensUrl = (): string | undefined => {
  const [origin] = env().lensOrigins;
  return origin === undefined ? undefined : `${origin}/`;
};

/** Whether a page of one of the operator's lenses got a verified signature. */
export const isOfLens = (clientDataJSON: string): boolean =>
  env().lensOrigins.includes(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()).origin);

/**
 * Returns the document in which browsers look up the other origins that may use our passkeys
 * (WebAuthn level 3, section 5.11), or undefined if there are none.
 */
export function relatedOrigins(): { origins: string[] } | undefined {
  const { lensOrigins } = env();
  return lensOrigins.length > 0 ? { origins: lensOrigins } : undefined;
}
