import type { ActionResult } from "@/lib/web/action-result";
import type { ActInput, ActName, ActOutput } from "@/lib/web/owner-actions";

/**
 * Largest body sent with `keepalive`, which completes even if the page closes: browsers allow 64
 * KiB in total.
 */
const mostKept = 60_000;

/** The URL of an action's forms, with and without scripts. */
export const actionUrl = (act: ActName): string => `/acts/${act}`;

/** A form's fields. */
export type FormFields = FormData | URLSearchParams;

/** The hidden fields of an action's form, by name. */
export type ActionFields<Name extends ActName> = { [Field in keyof ActInput<Name>]?: string };

export type ActionReply<Name extends ActName> = ActionResult<ActOutput<Name>> & { next?: string };

/**
 * Sends an action to the server. Returns `undefined` if the owner is signed out; the page then
 * goes to sign-in.
 * @param here the page to return to after sign-in, by default the current one; null to stay
 * @throws if the server was not reached, or the result is unknown
 */
export async function sendAction<Name extends ActName>(
  act: Name,
  form: FormFields,
  here: string | null = window.location.pathname + window.location.search,
): Promise<ActionReply<Name> | undefined> {
  const body = new URLSearchParams(
    [...form].map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const reply = await fetch(actionUrl(act), { method: "POST", headers, body, keepalive: body.length < mostKept });
  if (reply.status === 401) {
    // The sign-in page says that the answer was not sent, because the owner may think it
    // was.
    const unsent = act.startsWith("approval.answer") ? `&unsent=${form.has("optionId") ? "choice" : "words"}` : "";
    if (here !== null) window.location.assign(`/sign-in?next=${encodeURIComponent(here)}${unsent}`);
    return undefined;
  }
  if (!reply.headers.get("content-type")?.startsWith("application/json")) throw new Error(`${act}: ${reply.status}`);
  return reply.json();
}
