import { decode } from "next-auth/jwt";
import type { SessionOwner, SignInMethod } from "@/lib/actor";
import { waitingCount } from "@/lib/approvals/inbox-queries";
import { reportError } from "@/lib/error-reporting";
import { unavailable } from "@/lib/errors";
import type { DatabaseSnapshot } from "@/lib/events/database-snapshot";
import { acceptedKeys, key } from "@/lib/keys/crypto";
import { sessionOwner } from "@/lib/owners/sessions";
import { currentRequest } from "@/lib/request-context";
import { privateCookie } from "./cookie-options";

/**
 * The owner of a browser session. Forms that must not be replayed are bound to `session`, the
 * session's ID. `snapshot` and `pending` come from the statement that authenticated the session,
 * before the page reads anything.
 */
export type SignedIn = SessionOwner & {
  name: string;
  email: string;
  session: string;
  method: SignInMethod;
  snapshot: DatabaseSnapshot;
  /** The number of pending questions, if requested. */
  pending: number;
};

/** The lifetime of a session, in seconds. */
export const sessionSeconds = 30 * 24 * 60 * 60;

export const sessionSecret = () => asText(key("next-auth"));
const asText = (bytes: Buffer) => bytes.toString("base64url");

/** Decrypts a session cookie, with SECRET or SECRET_PREVIOUS. Returns null for any other text. */
async function claimsOf(cookie: string | undefined) {
  for (const secret of acceptedKeys("next-auth").map(asText)) {
    const claims = await decode({ token: cookie, secret }).catch(() => null);
    if (claims) return claims;
  }
  return null;
}

/** Returns the session cookie's name and attributes. */
export const sessionCookie = () => privateCookie("session", {});

/** Returns the content of a session cookie: the owner, the session version and the session ID. */
export const sessionClaims = (owner: { ownerId: string; sessionVersion: number; session: string }) => ({
  sub: owner.ownerId,
  sv: owner.sessionVersion,
  sid: owner.session,
});

/**
 * Finds the owner of a session cookie. Returns null if the session has ended.
 * @param counts whether to count the pending questions
 * @throws {AppError} 503 if the database is unavailable
 */
export async function ownerOfCookie(cookie: string | undefined, counts = false): Promise<SignedIn | null> {
  const claims = await claimsOf(cookie);
  if (!claims) return null;
  const { sub = "", sv, sid } = claims;
  const owner = await sessionOwner(sub, sv, sid, counts ? waitingCount(sub) : undefined).catch((error: unknown) => {
    reportError(error, "could not check a session");
    throw unavailable();
  });
  const request = currentRequest();
  if (request && owner) request.owner = owner.ownerId;
  return owner;
}
