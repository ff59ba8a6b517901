import type { ActionInput, ActionName, ActionOutput } from "@/lib/web/action-registry";
import type { ActionResult } from "@/lib/web/action-result";

/**
 * The largest body, in bytes, that is sent with `keepalive`, so that the request completes even if
 * the page closes. Browsers allow 64 KiB for all such requests together.
 */
const maxKeepaliveBytes = 60_000;

/** The URL that an action's forms post to, with or without scripts. */
export const actionUrl = (act: ActionName): string => `/acts/${act}`;

/** A form's fields. */
export type FormFields = FormData | URLSearchParams;

/** The hidden fields of an action's form, by name. */
export type ActionFields<Name extends ActionName> = { [Field in keyof ActionInput<Name>]?: string };

/** The result. `redirectTo` is the URL of the next page, or of the page that shows the error. */
export type ActionReply<Name extends ActionName> = ActionResult<ActionOutput<Name>> & { redirectTo?: string };

/**
 * `here` is the page to return to after sign-in, by default the current page. If `here` is null, a
 * signed-out owner stays on this page. `url` defaults to `actionUrl(act)`.
 */
type SendOptions = { here?: string | null; url?: string };

/**
 * Sends an action to the server. If the owner is signed out, returns `undefined` and, unless `here`
 * is null, opens the sign-in page.
 * @throws if the server was not reached, or its reply is not JSON
 */
export async function sendAction<Name extends ActionName>(
  act: Name,
  form: FormFields,
  { here = window.location.pathname + window.location.search, url = actionUrl(act) }: SendOptions = {},
): Promise<ActionReply<Name> | undefined> {
  const body = new URLSearchParams(
    [...form].map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const reply = await fetch(url, { method: "POST", headers, body, keepalive: body.length < maxKeepaliveBytes });
  if (reply.status === 401) {
    // The sign-in page states that the answer was not sent, because the owner may assume that it
    // was.
    const unsent = act.startsWith("approval.answer") ? `&unsent=${form.has("optionId") ? "choice" : "words"}` : "";
    if (here !== null) window.location.assign(`/sign-in?next=${encodeURIComponent(here)}${unsent}`);
    return undefined;
  }
  if (!reply.headers.get("content-type")?.startsWith("application/json")) throw new Error(`${act}: ${reply.status}`);
  return reply.json();
}
