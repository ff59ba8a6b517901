import { AppError, SignInAgain } from "@/lib/errors";
import type { Action, ActionRequest, BrowserState, SentFields } from "@/lib/form-action";
import { requireRecentSignIn } from "@/lib/owners/sessions";
import { validate } from "@/lib/text/validate";
import { explain, failurePage, flashResponse, interstitialPage, json, secretPage, seeOther } from "./action-responses";
import { type ActionResult, toActionError } from "./action-result";
import { browserCookie } from "./known-browser-cookie";
import { formOf, readForm, wantsJson } from "./read-form";
import { localPath } from "./safe-redirect-path";
import { currentOwner, keepInBrowser, signInAgainPath } from "./session";
import type { SignedIn } from "./session-cookie";

/** A form as received. `from` is the page to return to. */
type Sent = { form: FormData; fields: SentFields; from: string; owner: SignedIn | null };

/**
 * Returns the route handler for an action's form. The path's parameters count as fields of the
 * form.
 */
export const actionRoute =
  (act: Action) =>
  async (request: Request, { params }: { params: Promise<Record<string, string>> }): Promise<Response> =>
    runAction(act, request, currentOwner, keepInBrowser, await params);

/**
 * Runs an action from its form. Scripts receive an `ActionResult` with the error's status. A plain
 * form leads to the next page or, after an error, back to its own page. `lib/http/csrf.ts` has
 * already checked the request's origin.
 * @param act undefined for an unknown action
 * @param findOwner returns the session's owner, or null without a session
 * @param keep stores the action's browser state
 */
export async function runAction(
  act: Action | undefined,
  request: Request,
  findOwner: () => Promise<SignedIn | null>,
  keep: (owner: SignedIn | null, kept: BrowserState) => Promise<void> = keepInBrowser,
  params: Record<string, string> = {},
): Promise<Response> {
  const scripted = wantsJson(request);
  let sent: Sent | undefined;
  try {
    if (!act) throw new AppError(404, "Not found");
    const owner = act.who ? null : await findOwner();
    const form = await formOf(request);
    for (const [name, value] of Object.entries(params)) form.set(name, value);
    const fields = readForm(act.input, form);
    const from = act.page?.(fields) ?? pageOf(request);
    if (!act.who && !owner) return signedOut(act, scripted, from);
    sent = { form, fields, from, owner };
    const input = validate(act.input, fields);
    if (act.fresh && owner) requireRecentSignIn(owner);
    // `owner` is null only for visitors' actions, which do not read it.
    const output = await act.run(owner as SignedIn, input, visitOf(request));
    if (act.browserState) await keep(owner, act.browserState(output));
    const next = act.next?.(input, output);
    if (scripted) return json(200, { ok: true, value: act.browserState ? undefined : output, redirectTo: next });
    if (act.secret) return secretPage(request, act.secret(output), next ?? from);
    if (act.continuesAt && next) return interstitialPage(next, act.continuesAt(output));
    if (act.failure) return seeOther(next ?? from);
    return flashResponse(next ?? from, act.name, form, { ok: true, value: act.flash?.(output) });
  } catch (error) {
    return rejected(act, scripted, sent, explain(error));
  }
}

function signedOut({ name, failure }: Action, scripted: boolean, from: string): Response {
  if (scripted) return json(401, { ok: false, message: "Sign in again" });
  if (failure?.signedOut) return failurePage(new AppError(401, failure.signedOut), failure);
  // The sign-in page mentions an unsent answer, because the owner may assume that it was sent.
  const unsent = name === "approval.answer" ? "&unsent=choice" : "";
  return seeOther(`/sign-in?next=${encodeURIComponent(from)}${unsent}`);
}

async function rejected(
  act: Action | undefined,
  scripted: boolean,
  sent: Sent | undefined,
  error: AppError,
): Promise<Response> {
  const resumed = act?.who !== "visitor" && sent?.owner ? act?.restoreForm?.(sent.owner, sent.form, error) : undefined;
  const refused: ActionResult = { ...toActionError(error), ...(resumed && { typed: resumed.typed }) };
  if (error instanceof SignInAgain) refused.signIn = await signInAgainPath(resumed?.page ?? sent?.from ?? "/");
  const page = sent && act?.errorPage?.(sent.fields, error);
  // Scripts interpret 401 only as a missing session.
  if (scripted) return json(error.status === 401 ? 400 : error.status, { ...refused, redirectTo: page }, error.headers);
  if (page) return seeOther(page);
  if (act?.failure) return refused.signIn ? seeOther(refused.signIn) : failurePage(error, act.failure);
  return act && sent ? flashResponse(sent.from, act.name, sent.form, refused, error.status) : failurePage(error);
}

/**
 * Returns the form's page, from the Referer that our own pages send (Referrer-Policy: same-origin).
 */
function pageOf(request: Request): string {
  const from = request.headers.get("referer") ?? "";
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: "/", search: "" };
  return localPath(pathname + search);
}

function visitOf({ headers }: Request): ActionRequest {
  const cookies = (headers.get("cookie") ?? "").split(/; */);
  const named = `${browserCookie().name}=`;
  return {
    address: headers.get("x-countersign-address") ?? "",
    userAgent: headers.get("user-agent") ?? "",
    browser: cookies.find((it) => it.startsWith(named))?.slice(named.length) ?? "",
  };
}
