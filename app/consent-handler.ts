import { reportError } from "@/lib/error-reporting";
import { AppChanged, AppError, SignInAgain } from "@/lib/errors";
import { ConsentDecision } from "@/lib/grants/schema";
import type { ConsentingOwner } from "@/lib/oauth/consent-decision";
import { escapeHtml } from "@/lib/text/html";
import { plainPage } from "@/lib/web/plain-page";
import { formOf, wantsJson } from "@/lib/web/read-form";
import { currentOwner, signInAgainPath } from "@/lib/web/session";

/** The owner's decision, parsed from a consent form. */
function readDecision(form: FormData): ConsentDecision {
  const scopes = form.getAll("scope").map(String);
  const days = form.get("days") || undefined;
  const decision = ConsentDecision.safeParse({
    csrf: form.get("csrf") ?? "",
    allow: form.get("decision") === "allow",
    scopes,
    integrationIds: form.getAll("integration").map(String),
    // A value that is not a number is rejected, so that it never means "no limit".
    ...(days !== undefined && { days: Number(days) }),
  });
  if (!decision.success) throw new AppError(400, "This form is invalid. Reload the page and try again");
  return decision.data;
}

const noStore = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Always 303: a 307 would post the form to the app (RFC 9700 section 4.12). Scripts follow it
 * themselves.
 */
export const redirectTo = (request: Request, location: string) =>
  wantsJson(request)
    ? Response.json({ redirectTo: location }, { headers: noStore })
    : new Response(null, { status: 303, headers: { ...noStore, location } });

/**
 * Handles a decision posted by the form on the page at `here`, and redirects. Sensitive scopes lead
 * to a fresh sign-in and back, with the request still open. Allowing nothing, or an app that
 * changed, decides nothing and redirects back to the form.
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
    if (!(error instanceof SignInAgain)) return errorResponse(request, error, { title: "Decision not saved", advice });
    const signIn = await signInAgainPath(here);
    const { status, message } = error;
    if (!wantsJson(request)) return redirectTo(request, signIn);
    return Response.json({ error: message, signIn }, { status, headers: noStore });
  }
}

/**
 * Redirects to the page, which shows the reason. Scripts get it as JSON and follow it themselves.
 */
const lookAgain = (request: Request, again: string, { status, message }: AppError) =>
  wantsJson(request)
    ? Response.json({ error: message, again }, { status, headers: noStore })
    : redirectTo(request, again);

/** Why a decision redirected back, from the page's query. */
export const backOf = (search: Record<string, unknown>): "empty" | "changed" | undefined =>
  "changed" in search ? "changed" : "empty" in search ? "empty" : undefined;

/** The form's owner, or an error if the session has ended. */
export async function signedIn() {
  const owner = await currentOwner();
  if (!owner) throw new AppError(401, "Your session has ended. Sign in again and reload the page");
  return owner;
}

type Told = { title: string; advice: string };

/** An error, as JSON for scripts or as a plain page. */
export function errorResponse(request: Request, thrown: unknown, { title, advice }: Told): Response {
  const known = reportError(thrown, "a decision failed");
  const { status, message } = known ?? new AppError(500, "Something went wrong. Try again");
  const error = known?.details?.[0]?.message ?? message;
  const headers = { ...noStore, ...known?.headers };
  if (wantsJson(request)) return Response.json({ error }, { status, headers });
  const page = plainPage(title, `<h1>${title}</h1><p>${escapeHtml(error)}.</p><p>${advice}</p>`);
  return new Response(page, { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
}

/**
 * Redirects from one of our forms to another site through a page that refreshes automatically. The
 * Content-Security-Policy's `form-action` confines a form's own redirects to our origin.
 */
export function interstitialRedirect(location: string, to: string): Response {
  const { href, protocol } = new URL(location);
  if (!/^https?:$/.test(protocol)) throw new Error("This address is not a web page");
  const page = plainPage(`Continue to ${to}`, `<p><a href="${escapeHtml(href)}">Continue to ${escapeHtml(to)}</a></p>`);
  const headers = { ...noStore, refresh: `0; url=${href}`, "content-type": "text/html; charset=utf-8" };
  return new Response(page, { headers });
}
