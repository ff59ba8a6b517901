import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { encode } from "next-auth/jwt";
import { cache } from "react";
import type { SignInMethod } from "@/lib/actor";
import { AppError } from "@/lib/errors";
import type { BrowserState } from "@/lib/form-action";
import type { Entrance } from "@/lib/owners/schema";
import { createSession, endSession as endOwnerSession } from "@/lib/owners/sessions";
import { readSettings } from "@/lib/owners/settings";
import { rememberAppearance } from "./appearance";
import { rememberBrowser, visitor } from "./known-browser-cookie";
import { localPath } from "./safe-redirect-path";
import {
  ownerOfCookie,
  type SignedIn,
  sessionClaims,
  sessionCookie,
  sessionSeconds,
  sessionSecret,
} from "./session-cookie";

/**
 * Returns the signed-in owner, read from the database once per request, so that a session that was
 * ended elsewhere ends at once.
 * @throws {AppError} 503 if the database is unavailable
 */
export const currentOwner = cache(async (): Promise<SignedIn | null> => {
  return ownerOfCookie((await cookies()).get(sessionCookie().name)?.value);
});

/**
 * Returns the signed-in owner with the pending count, for pages. Read once per request, before the
 * page and its layout read anything else.
 */
const pageOwner = cache(async (): Promise<SignedIn | null> => {
  return ownerOfCookie((await cookies()).get(sessionCookie().name)?.value, true);
});

/** Returns the signed-in owner's settings, read once per request. For pages and layouts. */
export const settingsOf = cache((owner: SignedIn) => readSettings(owner));

/**
 * Returns the signed-in owner. Redirects visitors to the sign-in page, from which they return.
 * @param next the page to return to, by default the requested page
 */
export async function requireOwner(next?: string): Promise<SignedIn> {
  return (await pageOwner()) ?? redirect(`/sign-in?next=${encodeURIComponent(next ?? (await askedFor()))}`);
}

/**
 * Returns the signed-in owner if they proved their identity within the last ten minutes. Redirects
 * other owners to prove it again. For downloads, which have no form that could show an error.
 * @param back the page with the link to the download
 */
export async function requireFreshOwner(back: string): Promise<SignedIn> {
  const owner = await requireOwner(back);
  return owner.fresh ? owner : redirect(await signInAgainPath(back));
}

/**
 * Returns the path of the page on which the owner confirms their identity. It then leads to `next`,
 * by default the requested page.
 */
export const signInAgainPath = async (next?: string): Promise<string> =>
  `/sign-in/again?next=${encodeURIComponent(localPath(next ?? (await askedFor())))}`;

/**
 * Returns the requested page, from the server's own header, because Next.js does not provide it.
 */
async function askedFor(): Promise<string> {
  const path = localPath((await headers()).get("x-countersign-path"));
  const url = new URL(path, "http://ours.invalid");
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}

/**
 * Starts a session in this browser for an owner who has just proved their identity, and ends the
 * browser's previous session. For route handlers only.
 * @param instead the previous session, if it no longer works
 * @throws as createSession
 */
export async function startSession(entrance: Entrance, method: SignInMethod, instead?: string): Promise<void> {
  const before = instead ?? (await currentOwner())?.session;
  const userAgent = (await headers()).get("user-agent") ?? "";
  const opening = { method, userAgent, ...(await visitor()), instead: before };
  const { id, browser } = await createSession(entrance, opening);
  await rememberBrowser(browser);
  const { name, options } = sessionCookie();
  const token = sessionClaims({ ...entrance, session: id });
  const cookie = await encode({ token, secret: sessionSecret(), maxAge: sessionSeconds });
  (await cookies()).set(name, cookie, { ...options, maxAge: sessionSeconds });
  await rememberAppearance(await readSettings(entrance));
}

/** Stores an action's browser state in this browser. For route handlers only. */
export async function keepInBrowser(owner: SignedIn | null, { session, look }: BrowserState): Promise<void> {
  if (session === "none") await endSession();
  else if (session) {
    const { method = "password", ...entrance } = session;
    await startSession(entrance, method, owner?.session);
  }
  if (look) await rememberAppearance(look);
}

/** Ends this browser's session. For route handlers. */
export async function endSession(): Promise<void> {
  const owner = await currentOwner();
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
  if (!owner) return;
  await endOwnerSession(owner, owner.session).catch((error) => {
    // 404 means that the session has just been ended elsewhere.
    if (!(error instanceof AppError && error.status === 404)) throw error;
  });
}
