import type { NextAuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import type { SessionOwner, SignInMethod } from "@/lib/actor";
import { waitingCount } from "@/lib/approvals/inbox";
import { env } from "@/lib/config/env";
import { reportError } from "@/lib/error-reporting";
import { AppError, unavailable } from "@/lib/errors";
import type { DatabaseSnapshot } from "@/lib/events/snapshot";
import { key } from "@/lib/keys/crypto";
import { log } from "@/lib/log";
import { signIn } from "@/lib/owners/owners";
import { createSession, sessionOwner } from "@/lib/owners/sessions";
import { currentRequest } from "@/lib/request-context";
import { privateCookie } from "./cookie";

/**
 * The owner behind a browser session. `session` identifies the session; forms that must not be
 * replayed are bound to it. `snapshot` and `pending` come from the statement that authenticated the
 * session, before the page reads anything.
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

declare module "next-auth" {
  interface User {
    sessionVersion: number;
    session: string;
  }
  interface Session {
    owner?: SignedIn;
    /** Set when the database was unavailable, so it is unknown whether the session is live. */
    unsure?: true;
  }
}

/** Lifetime of a session, in seconds. */
export const sessionSeconds = 30 * 24 * 60 * 60;

export const sessionSecret = () => key("next-auth").toString("base64url");

/** The session cookie's name, shared with next-auth. */
export const sessionCookie = () => privateCookie("session", {});

/** A session cookie's content: owner, session version and session ID. */
export const sessionClaims = (owner: { ownerId: string; sessionVersion: number; session: string }) => ({
  sub: owner.ownerId,
  sv: owner.sessionVersion,
  sid: owner.session,
});

/**
 * The owner of a session cookie, read with next-auth's decoder. Its whole handler also prepares a
 * new cookie that pages can't set, and would cost each click several milliseconds. Null if the
 * session is not live.
 * @param counts whether to count the pending questions
 * @throws {AppError} 503 when the database is unavailable
 */
export async function ownerOfCookie(cookie: string | undefined, counts = false): Promise<SignedIn | null> {
  const claims = await decode({ token: cookie, secret: sessionSecret() }).catch(() => null);
  if (!claims) return null;
  const owner = await checked(claims.sub ?? "", claims.sv, claims.sid, counts);
  if (owner === undefined) throw unavailable();
  const request = currentRequest();
  if (request && owner) request.owner = owner.ownerId;
  return owner;
}

/** Undefined when the database is unavailable. */
const checked = (ownerId: string, sessionVersion: unknown, session: unknown, counts = false) =>
  sessionOwner(ownerId, sessionVersion, session, counts ? waitingCount(ownerId) : undefined).catch((error: unknown) => {
    reportError(error, "a session could not be checked");
    return undefined;
  });

/** A function, because settings are read at the first request and not at build time. */
export const authOptions = (): NextAuthOptions => ({
  secret: sessionSecret(),
  session: { strategy: "jwt", maxAge: sessionSeconds },
  useSecureCookies: env().publicUrl.startsWith("https:"),
  cookies: { sessionToken: sessionCookie() },
  pages: { signIn: "/sign-in", signOut: "/settings", error: "/sign-in" },
  providers: [
    Credentials({
      credentials: { email: { type: "email" }, password: { type: "password" } },
      authorize: async (credentials, { headers }) => {
        const { email = "", password = "" } = credentials ?? {};
        try {
          // Imported here, because it works only inside Next, and other code reads sessions too.
          const { rememberBrowser, visitor } = await import("./browser");
          const who = await visitor();
          const { ownerId, sessionVersion } = await signIn({ email, password, ...who });
          const userAgent = String(headers?.["user-agent"] ?? "");
          const opening = { method: "password" as const, userAgent, ...who };
          const { id: session, browser } = await createSession({ ownerId, sessionVersion }, opening);
          await rememberBrowser(browser);
          return { id: ownerId, sessionVersion, session };
        } catch (error) {
          if (error instanceof AppError && error.status === 401) return null;
          throw error instanceof AppError ? error : new Error("Sign-in failed", { cause: error });
        }
      },
    }),
  ],
  callbacks: {
    jwt: ({ token, user }) => (user ? sessionClaims({ ownerId: user.id, ...user }) : token),
    session: async ({ session: { expires }, token: { sub = "", sv, sid } }) => {
      const owner = await checked(sub, sv, sid);
      // Not thrown, because that would end the session, and the failure is ours.
      if (owner === undefined) return { expires, unsure: true as const };
      if (owner === null) throw new Error("The session was ended");
      return { expires, owner };
    },
  },
  logger: {
    error: (code) => log.info("a session was refused", { code }),
    warn: (code) => log.warn("next-auth warns", { code }),
  },
});
