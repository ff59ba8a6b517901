import { sameOrigin } from "@/app/same-origin";
import { AppError, asAppError, SignInAgain } from "@/lib/errors";
import { decideConsent } from "@/lib/grants/consent";
import { ConsentDecision } from "@/lib/grants/schema";
import { log } from "@/lib/log";
import { currentOwner, signInAgainPath } from "@/lib/web/session";

/**
 * The owner's decision, from the consent page's form. Allowing nothing is denying. What takes a fresh sign-in leads to one,
 * with the request still open, and from there back to it.
 */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  try {
    if (!sameOrigin(request)) throw new AppError(403, "This was not sent from the consent page");
    const owner = await currentOwner();
    if (!owner) throw new AppError(401, "Your session has ended. Sign in again and reload the page");
    const { redirectTo } = await decideConsent(owner, id, readDecision(await request.formData()));
    return leave(request, redirectTo);
  } catch (error) {
    if (error instanceof SignInAgain) return askAgain(request, error, await signInAgainPath(`/consent/${id}`));
    return refuse(request, error);
  }
}

function readDecision(form: FormData): ConsentDecision {
  const scopes = form.getAll("scope").map(String);
  const days = Number(form.get("days") || 0);
  const decision = ConsentDecision.safeParse({
    csrf: form.get("csrf") ?? "",
    allow: form.get("decision") === "allow" && scopes.length > 0,
    scopes,
    integrationIds: form.getAll("integration").map(String),
    ...(days ? { days } : {}),
  });
  if (!decision.success) throw new AppError(400, "The form could not be read");
  return decision.data;
}

const wantsJson = (request: Request) => request.headers.get("accept") === "application/json";
const noStore = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/** 303 and nothing else: 307 would send the form on to the app (RFC 9700 section 4.12). Scripts go there themselves. */
const leave = (request: Request, location: string) =>
  wantsJson(request)
    ? Response.json({ redirectTo: location }, { headers: noStore })
    : new Response(null, { status: 303, headers: { ...noStore, location } });

const askAgain = (request: Request, { status, message: error }: SignInAgain, signIn: string) =>
  wantsJson(request) ? Response.json({ error, signIn }, { status, headers: noStore }) : leave(request, signIn);

function refuse(request: Request, thrown: unknown): Response {
  const known = asAppError(thrown);
  if (!known) log.error("a consent decision failed", thrown);
  const { status, message } = known ?? new AppError(500, "That did not work. Please try again");
  const error = known?.details?.[0]?.message ?? message;
  if (wantsJson(request)) return Response.json({ error }, { status, headers: noStore });
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Not decided</title><h1>Not decided</h1><p>${escapeHtml(error)}.</p><p>Go back to the app and start over.</p></html>`;
  return new Response(page, { status, headers: { ...noStore, "content-type": "text/html; charset=utf-8" } });
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
