import { reportError } from "@/lib/error-reporting";
import { AppError } from "@/lib/errors";
import type { OneTimeSecret } from "@/lib/form-action";
import { escapeHtml } from "@/lib/text/escape-html";
import type { ActionResult } from "./action-result";
import { flashCookies, targetOf } from "./flash";
import { plainPage } from "./plain-page";

/* The responses to the forms of our pages. */

const noStore = { "cache-control": "no-store" };

export const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { ...noStore, ...headers } });

/**
 * Redirects with the status 303, so that the browser doesn't post the form again. The target is
 * never an app (RFC 9700 section 4.12).
 */
export const seeOther = (location: string, headers: Record<string, string> = {}) =>
  new Response(null, { status: 303, headers: { ...noStore, ...headers, location } });

const page = (status: number, html: string, headers: Record<string, string> = {}) =>
  new Response(html, { status, headers: { ...noStore, ...headers, "content-type": "text/html; charset=utf-8" } });

/**
 * Redirects to a page that shows the result. If the result is too long for the flash, returns a
 * separate page instead.
 */
export function flashResponse(
  page: string,
  act: string,
  form: FormData,
  result: ActionResult<unknown>,
  status = 400,
): Response {
  const cookies = flashCookies({ page, act, about: targetOf(form), result });
  if (!cookies) {
    if (!result.ok) return failurePage(new AppError(status, result.message));
    return isUnconfirmed(result.value) ? failurePage(new AppError(413, tooLongToConfirm)) : resultTooLong();
  }
  const reply = seeOther(page);
  for (const cookie of cookies) reply.headers.append("set-cookie", cookie);
  return reply;
}

/** Whether an answer was not recorded, because the owner has to confirm it on the next page. */
const isUnconfirmed = (value: unknown) => typeof value === "object" && value !== null && "unconfirmed" in value;
const tooLongToConfirm =
  "Your answer was not sent, because it is too long to confirm without JavaScript. Turn on JavaScript, then answer.";

const resultTooLong = () =>
  page(
    200,
    plainPage(
      "Action completed",
      "<h1>Action completed</h1><p>The result is too long to show without JavaScript.</p><p>Go back to the previous page.</p>",
    ),
  );

/**
 * Returns a page with the secret that an action returned, for a browser without scripts. The secret
 * is shown only there.
 */
export function secretPage(request: Request, { title, shown, onward }: OneTimeSecret, from: string): Response {
  const { href, label } = onward ?? { href: from, label: "Continue" };
  const figures = Object.entries(shown).map(
    ([name, text]) => `<figure><figcaption>${escapeHtml(name)}</figcaption><pre>${escapeHtml(text)}</pre></figure>`,
  );
  const html = [
    `<h1>${escapeHtml(title)}</h1>`,
    "<p>Copy this value now. It can’t be shown again.</p>",
    ...figures,
    `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`,
  ];
  // The server gives each page a nonce.
  const nonce = /'nonce-([^']+)'/.exec(request.headers.get("content-security-policy") ?? "")?.[1];
  return page(200, plainPage(title, html.join(""), nonce));
}

/**
 * Returns a page that automatically opens another site. Our forms can't redirect there, because the
 * Content-Security-Policy's `form-action` confines their redirects to our origin.
 */
export function interstitialPage(location: string, to: string): Response {
  const { href, protocol } = new URL(location);
  if (!/^https?:$/.test(protocol)) throw new Error("This address is not a web page");
  const html = `<p><a href="${escapeHtml(href)}">Continue to ${escapeHtml(to)}</a></p>`;
  return page(200, plainPage(`Continue to ${to}`, html), { refresh: `0; url=${href}` });
}

/**
 * Returns the error with a message for the owner. An unexpected error is logged, and gets a general
 * message.
 */
export const explain = (thrown: unknown): AppError =>
  reportError(thrown, "an action failed") ?? new AppError(500, "The server couldn’t complete your request. Try again.");

/** Returns an error as a separate page. */
export function failurePage(
  { status, message, details, headers }: AppError,
  { title, advice } = { title: "Something went wrong", advice: "Go back to the previous page." },
): Response {
  const reason = (details?.[0]?.message ?? message).replace(/\.$/, "");
  return page(status, plainPage(title, `<h1>${title}</h1><p>${escapeHtml(reason)}.</p><p>${advice}</p>`), headers);
}
