import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { encode } from "next-auth/jwt";
import { cache } from "react";
import { unavailable } from "@/lib/errors";
import { recordSignOut } from "@/lib/owners/sessions";
import {
  authOptions,
  type Session,
  type SignedIn,
  sessionClaims,
  sessionCookie,
  sessionSeconds,
  sessionSecret,
} from "./auth";
import { localPath } from "./next-path";

/**
 * Who is signed in, asked of the database once per request: a session ended elsewhere is over at once.
 * @throws {AppError} 503 when the database cannot say
 */
export const currentOwner = cache(async (): Promise<SignedIn | null> => {
  const session = await getServerSession(authOptions());
  if (session?.unsure) throw unavailable();
  return session?.owner ?? null;
});

/**
 * Who is signed in; nobody is sent to sign in and comes back.
 * @param next where to come back to, instead of the page that was asked for
 */
export async function requireOwner(next?: string): Promise<SignedIn> {
  return (await currentOwner()) ?? redirect(`/sign-in?next=${encodeURIComponent(next ?? (await askedFor()))}`);
}

/** The page that was asked for, which the front tells us, since Next does not. */
async function askedFor(): Promise<string> {
  const path = localPath((await headers()).get("x-countersign-path") ?? "");
  const url = new URL(path, "http://ours.invalid");
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}

/** Begin a session in this browser, in a server action or route handler: next-auth's own cookie, with an id never seen before. */
export async function startSession(session: Session): Promise<void> {
  const { name, options } = sessionCookie();
  const token = await encode({ token: sessionClaims(session), secret: sessionSecret(), maxAge: sessionSeconds });
  (await cookies()).set(name, token, { ...options, maxAge: sessionSeconds });
}

/** End this browser's session, in a server action or route handler. */
export async function endSession(): Promise<void> {
  const owner = await currentOwner();
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
  if (owner) await recordSignOut(owner);
}

/** Where the request came from, which the front tells us: what is counted when somebody guesses. */
export const clientAddress = async (): Promise<string> => (await headers()).get("x-countersign-address") ?? "";
