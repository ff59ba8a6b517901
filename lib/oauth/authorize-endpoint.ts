import { env } from "@/lib/config/env";
import { reportError } from "@/lib/error-reporting";
import { sha256 } from "@/lib/keys/crypto";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { escapeHtml } from "@/lib/text/escape-html";
import { Returned, readAuthorization, returnTo } from "./authorization-request";
import { clientAddressOf } from "./client-authentication";
import { requestConsent } from "./consent";

/**
 * Handles GET /oauth/authorize (RFC 6749 section 3.1). Stores the request and sends the owner to
 * the consent page, or returns the browser to the app with an error. Never throws.
 * @param signedIn whether an owner is signed in
 */
export async function authorizeEndpoint(request: Request, signedIn: () => Promise<boolean>): Promise<Response> {
  try {
    const [asker, owner] = [clientAddressOf(request), await signedIn()];
    if (!owner) await consumeAttempt("authorize", asker, strangers, tooOften);
    const query = new URL(request.url).searchParams;
    if (query.get("prompt") === "none") return leave(await withoutAsking(query, asker, owner));
    const { id } = await requestConsent(query, asker);
    return leave(`${env().publicUrl}/consent/${id}`);
  } catch (error) {
    if (error instanceof Returned) return leave(error.redirectTo);
    const known = reportError(error, "an authorization request failed");
    const { status, message, headers } = known ?? {
      status: 500,
      message: "The server could not process the request. Try again later.",
    };
    const shown = status === 503 ? "The service is unavailable. Try again in a moment." : message;
    return page(status, shown, request.headers.get("content-security-policy"), headers);
  }
}

/**
 * The rate limit per network for visitors who are not signed in. Anyone may send a request, and
 * each one stores a row.
 */
const strangers = { max: 300, seconds: 300 };
const tooOften = "Too many requests came from your network. Wait five minutes, then start again from the app.";

/**
 * Returns the redirect for a request with `prompt=none`. It always contains an error, because the
 * owner must see the consent page.
 */
async function withoutAsking(query: URLSearchParams, asker: string, signedIn: boolean): Promise<string> {
  const request = await readAuthorization(query, asker);
  const error = signedIn ? "consent_required" : "login_required";
  return returnTo(request, {
    error,
    error_description: "prompt=none is not supported, because the owner must decide on the consent page",
  });
}

const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Redirects the browser with the status 303. After a 307, a browser would send a form's body again
 * (RFC 9700 section 4.12).
 */
const leave = (location: string) => new Response(null, { status: 303, headers: { ...headers, location } });

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.4rem}";

/**
 * Builds an error page without links, because an attacker could choose the links of an invalid
 * request.
 * @param policy the response's Content-Security-Policy, if the server sets one; otherwise, the page
 * sets its own
 */
function page(status: number, message: string, policy: string | null, more: Record<string, string> = {}): Response {
  const nonce = policy && /'nonce-([\w+/=-]+)'/.exec(policy)?.[1];
  const own = `default-src 'none'; style-src 'sha256-${sha256(style).toString("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>This request can’t continue</title><style${nonce ? ` nonce="${nonce}"` : ""}>${style}</style></head><body><main><h1>This request can’t continue</h1><p>${escapeHtml(message)}</p><p>Nothing was shared. Go back to the app, or send this message to the app’s developers.</p></main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      ...headers,
      ...more,
      ...(nonce ? {} : { "content-security-policy": own }),
      "content-type": "text/html; charset=utf-8",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
    },
  });
}
