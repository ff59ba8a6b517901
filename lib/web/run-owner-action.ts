import { reportError } from "@/lib/error-reporting";
import { AppError, SignInAgain } from "@/lib/errors";
import type { BrowserState, OneTimeSecret, OwnerAction } from "@/lib/owner-action";
import { requireRecentSignIn } from "@/lib/owners/sessions";
import { escapeHtml } from "@/lib/text/html";
import { validate } from "@/lib/text/validate";
import { type ActionError, type ActionResult, toActionError } from "./action-result";
import type { SignedIn } from "./auth";
import { flashCookies, targetOf } from "./flash";
import { localPath } from "./next-path";
import { plainPage } from "./plain-page";
import { formOf, readForm, wantsJson } from "./read-form";
import { keepInBrowser, signInAgainPath } from "./session";

/**
 * Runs an owner's action from its form. Scripts receive an `ActionResult` with the error's status.
 * A plain form leads to the action's next page, or back to its own page, which shows the error. The
 * request's origin was checked before (`lib/http/csrf.ts`).
 * @param act undefined for an unknown action
 * @param whose the session's owner; null for none, throws 503 while the database is unavailable
 * @param keep stores the action's browser state
 */
export async function runOwnerAction(
  act: OwnerAction | undefined,
  request: Request,
  whose: () => Promise<SignedIn | null>,
  keep: (owner: SignedIn, kept: BrowserState) => Promise<void> = keepInBrowser,
): Promise<Response> {
  const from = pageOf(request);
  const responder = wantsJson(request) ? jsonResponder : pageResponder(request, from);
  let form: FormData | undefined;
  let owner: SignedIn | null = null;
  try {
    if (!act) throw new AppError(404, "Not found");
    owner = await whose();
    if (!owner) return responder.signedOut(act);
    form = await formOf(request);
    const input = validate(act.input, readForm(act.input, form));
    if (act.fresh) requireRecentSignIn(owner);
    const output = await act.run(owner, input, {
      address: request.headers.get("x-countersign-address") ?? "",
      userAgent: request.headers.get("user-agent") ?? "",
    });
    if (act.browserState) await keep(owner, act.browserState(output));
    return responder.done({ act, form, output, next: act.next?.(input, output) });
  } catch (error) {
    const known =
      reportError(error, "an owner's action failed") ?? new AppError(500, "Something went wrong. Please try again");
    const resumed = owner && form && act?.restoreForm?.(owner, form, known);
    const refused: ActionResult = { ...toActionError(known), ...(resumed && { typed: resumed.typed }) };
    if (known instanceof SignInAgain) refused.signIn = await signInAgainPath(resumed?.page ?? from);
    return responder.refused(known.status, refused, act && form && { act, form });
  }
}

type Submission = { act: OwnerAction; form: FormData };

/** Responds to a form, for scripts or for a browser without them. */
type Responder = {
  /** No owner is signed in. */
  signedOut(act: OwnerAction): Response;
  done(submission: Submission & { output: unknown; next: string | undefined }): Response;
  /** @param submission undefined for an unknown action or an unreadable form */
  refused(status: number, refused: ActionError, submission: Submission | undefined): Response;
};

const jsonResponder: Responder = {
  signedOut() {
    return json(401, toActionError(new AppError(401, "Sign in again")));
  },
  done: ({ act, output, next }) => json(200, { ok: true, value: act.browserState ? undefined : output, next }),
  refused: (status, refused) => json(status, refused),
};

const pageResponder = (request: Request, from: string): Responder => ({
  signedOut({ name }) {
    // The sign-in page mentions an unsent answer, because the owner may believe that it was sent.
    const unsent = name === "approval.answer" ? "&unsent=choice" : "";
    return seeOther(`/sign-in?next=${encodeURIComponent(from)}${unsent}`);
  },
  done: ({ act, form, output, next = from }) =>
    act.secret
      ? revealed(request, act.secret(output), next)
      : shown(next, act.name, form, { ok: true, value: act.flash?.(output) }),
  refused: (status, refused, submission) =>
    submission
      ? shown(from, submission.act.name, submission.form, refused, status)
      : toldApart(status, refused.message),
});

/** The form's page, from the Referer that our own pages send (Referrer-Policy: same-origin). */
function pageOf(request: Request): string {
  const from = request.headers.get("referer") ?? "";
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: "/", search: "" };
  return localPath(pathname + search);
}

const noStore = { "cache-control": "no-store" };
const json = (status: number, body: object) => Response.json(body, { status, headers: noStore });
const seeOther = (location: string) => new Response(null, { status: 303, headers: { ...noStore, location } });

/**
 * Redirects to the form's page, which shows the result. A result that is too long for the flash
 * gets a separate page.
 */
function shown(page: string, act: string, form: FormData, result: ActionResult<unknown>, status = 400): Response {
  const cookies = flashCookies({ page, act, about: targetOf(form), result });
  if (!cookies)
    return toldApart(status, result.ok ? "This text is too long to confirm without JavaScript" : result.message);
  const reply = seeOther(page);
  for (const cookie of cookies) reply.headers.append("set-cookie", cookie);
  return reply;
}

/** The response to a plain form that returns a secret, the only place where it is shown. */
function revealed(request: Request, { title, shown, onward }: OneTimeSecret, from: string): Response {
  const { href, label } = onward ?? { href: from, label: "Continue" };
  const figures = Object.entries(shown).map(
    ([name, text]) => `<figure><figcaption>${escapeHtml(name)}</figcaption><pre>${escapeHtml(text)}</pre></figure>`,
  );
  const html = [
    `<h1>${escapeHtml(title)}</h1>`,
    "<p>Copy this value now. It is not stored and cannot be shown again.</p>",
    ...figures,
    `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`,
  ];
  // The server gives each page a nonce.
  const nonce = /'nonce-([^']+)'/.exec(request.headers.get("content-security-policy") ?? "")?.[1];
  return page(200, plainPage(title, html.join(""), nonce));
}

const page = (status: number, html: string) =>
  new Response(html, { status, headers: { ...noStore, "content-type": "text/html; charset=utf-8" } });

function toldApart(status: number, message: string): Response {
  const html = `<h1>That didn’t work</h1><p>${escapeHtml(message.replace(/\.$/, ""))}.</p><p>Go back and try again.</p>`;
  return page(status, plainPage("That didn’t work", html));
}
