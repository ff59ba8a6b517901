import { reportError } from "@/lib/error-reporting";
import { AppChanged, AppError, SignInAgain } from "@/lib/errors";
import { ConsentDecision } from "@/lib/grants/schema";
import type { ConsentingOwner } from "@/lib/oauth/consent-decision";
import { escapeHtml } from "@/lib/text/html";
import { plainPage } from "@/lib/web/plain-page";
import { formOf, wantsJson } from "@/lib/web/read-form";
import { currentOwner, signInAgainPath } from "@/lib/web/session";

/** What the owner decided, from the form of a consent screen. */
function readDecision(form: FormData): ConsentDecision {
  const scopes = form.getAll("scope").map(String);
  const days = form.get("days") || undefined;
  const decision = ConsentDecision.safeParse({
    csrf: form.get("csrf") ?? "",
    allow: form.get("decision") === "allow",
    scopes,
    integrationIds: form.getAll("integration").map(String),
    // Not a number is refused, rather than taken for no limit.
    ...(days !== undefined && { days: Number(days) }),
  });
  if (!decision.success) throw new AppError(400, "The form could not be read");
  return decision.data;
}

const noStore = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/** 303 and nothing else: 307 would send the form on to the app (RFC 9700 section 4.12). Scripts go there themselves. */
export const redirectTo = (request: Request, location: string) =>
  wantsJson(request)
    ? Response.json({ redirectTo: location }, { headers: noStore })
    : new Response(null, { status: 303, headers: { ...noStore, location } });

/**
 * The owner's decision, from the form on the page at `here`, and where they go then. What takes a fresh sign-in leads to one,
 * with the request still open, and from there back to it. Allowing nothing decides nothing, and leads back to the form, as
 * does allowing an app that changed; its page then shows what the app is now.
 */
export async function handleConsentForm(
  request: Request,
  here: string,
  advice: string,
  work: (owner: ConsentingOwner, decision: ConsentDecision) => Promise<string>,
): Promise<Response> {
  try {
    const owner = await signedIn();
    const decision = readDecision(await formOf(request));
    if (decision.allow && decision.scopes?.length === 0) return redirectTo(request, `${here}?empty`);
    return redirectTo(request, await work(owner, decision));
  } catch (error) {
    if (error instanceof AppChanged) return lookAgain(request, `${here}?changed`, error);
    if (!(error instanceof SignInAgain)) return errorResponse(request, error, { title: "Not decided", advice });
    const signIn = await signInAgainPath(here);
    const { status, message } = error;
    if (!wantsJson(request)) return redirectTo(request, signIn);
    return Response.json({ error: message, signIn }, { status, headers: noStore });
  }
}

/** Back to the page, which says why. Scripts are told that nothing was decided, and go there themselves. */
const lookAgain = (request: Request, again: string, { status, message }: AppError) =>
  wantsJson(request)
    ? Response.json({ error: message, again }, { status, headers: noStore })
    : redirectTo(request, again);

/** Why a decision led back to its page, as the page's address says. */
export const backOf = (search: Record<string, unknown>): "empty" | "changed" | undefined =>
  "changed" in search ? "changed" : "empty" in search ? "empty" : undefined;

/** Whose form it is; refused in words where the session has ended meanwhile. */
export async function signedIn() {
  const owner = await currentOwner();
  if (!owner) throw new AppError(401, "Your session has ended. Sign in again and reload the page");
  return owner;
}

type Told = { title: string; advice: string };

/** Why not, for scripts as JSON, else as a page that leads nowhere. */
export function errorResponse(request: Request, thrown: unknown, { title, advice }: Told): Response {
  const known = reportError(thrown, "a decision failed");
  const { status, message } = known ?? new AppError(500, "That did not work. Please try again");
  const error = known?.details?.[0]?.message ?? message;
  const headers = { ...noStore, ...known?.headers };
  if (wantsJson(request)) return Response.json({ error }, { status, headers });
  const page = plainPage(title, `<h1>${title}</h1><p>${escapeHtml(error)}.</p><p>${advice}</p>`);
  return new Response(page, { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
}

/**
 * To an address of somebody else's, from one of our own forms: by a page that goes on by itself, because browsers hold a
 * form's redirects to our own addresses (`form-action` in the Content-Security-Policy).
 */
export function interstitialRedirect(location: string, to: string): Response {
  const { href, protocol } = new URL(location);
  if (!/^https?:$/.test(protocol)) throw new Error("That leads to no web page");
  const page = plainPage(`On to ${to}`, `<p><a href="${escapeHtml(href)}">On to ${escapeHtml(to)}</a></p>`);
  const headers = { ...noStore, refresh: `0; url=${href}`, "content-type": "text/html; charset=utf-8" };
  return new Response(page, { headers });
}
