import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { encode } from "next-auth/jwt";
import { cache } from "react";
import { AppError } from "@/lib/errors";
import type { BrowserState } from "@/lib/owner-action";
import type { Entrance, SignInMethod } from "@/lib/owners/schema";
import { createSession, endSession as endOwnerSession } from "@/lib/owners/sessions";
import { readSettings } from "@/lib/owners/settings";
import { rememberAppearance } from "./appearance";
import { ownerOfCookie, type SignedIn, sessionClaims, sessionCookie, sessionSeconds, sessionSecret } from "./auth";
import { rememberBrowser, visitor } from "./browser";
import { localPath } from "./next-path";

/**
 * Who is signed in, asked of the database once per request: a session ended elsewhere is over at once.
 * @throws {AppError} 503 when the database cannot say
 */
export const currentOwner = cache(async (): Promise<SignedIn | null> => {
  return ownerOfCookie((await cookies()).get(sessionCookie().name)?.value);
});

/** The same for pages, with the count that they show. Once per request, before anything else that its page and layout read. */
const pageOwner = cache(async (): Promise<SignedIn | null> => {
  return ownerOfCookie((await cookies()).get(sessionCookie().name)?.value, true);
});

/** What that owner chose, read once per request. In pages and layouts. */
export const settingsOf = cache((owner: SignedIn) => readSettings(owner));

/**
 * Who is signed in; nobody is sent to sign in and comes back.
 * @param next where to come back to, instead of the page that was asked for
 */
export async function requireOwner(next?: string): Promise<SignedIn> {
  return (await pageOwner()) ?? redirect(`/sign-in?next=${encodeURIComponent(next ?? (await askedFor()))}`);
}

/**
 * Who is signed in, having shown so within the last ten minutes: for what a browser fetches as a file, and so without a form
 * that could say what is missing. Others are sent to show it.
 * @param back the page that leads here
 */
export async function requireFreshOwner(back: string): Promise<SignedIn> {
  const owner = await requireOwner(back);
  return owner.fresh ? owner : redirect(await signInAgainPath(back));
}

/** Where the owner shows once more who they are, to come back to `next` or to the page that was asked for. */
export const signInAgainPath = async (next?: string): Promise<string> =>
  `/sign-in/again?next=${encodeURIComponent(localPath(next ?? (await askedFor())))}`;

/** The page that was asked for, which the front tells us, since Next does not. */
async function askedFor(): Promise<string> {
  const path = localPath((await headers()).get("x-countersign-path"));
  const url = new URL(path, "http://ours.invalid");
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}

/**
 * Begin a session in this browser, in a server action or route handler, for somebody who just showed who they are: next-auth's
 * own cookie, with an id never seen before. The session that the browser had until now ends.
 * @param instead that session, where it already opens nothing
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

/** Have this browser keep what an owner's act says, in a route handler. */
export async function keepInBrowser(owner: SignedIn, { session, look }: BrowserState): Promise<void> {
  if (session === "none") await endSession();
  else if (session) await startSession(session, "password", owner.session);
  if (look) await rememberAppearance(look);
}

/** End this browser's session, in a server action or route handler. */
export async function endSession(): Promise<void> {
  const owner = await currentOwner();
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
  if (!owner) return;
  await endOwnerSession(owner, owner.session).catch((error) => {
    // It ended elsewhere a moment ago.
    if (!(error instanceof AppError && error.status === 404)) throw error;
  });
}
