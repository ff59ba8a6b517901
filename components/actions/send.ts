import type { ActionResult } from "@/lib/web/action-result";
import type { ActInput, ActName, ActOutput } from "@/lib/web/owner-actions";

/** Most characters of what is sent on even when its page is closed at that moment: browsers allow 64 KiB in all. */
const mostKept = 60_000;

/** Where an act's forms are sent, with scripts and without. */
export const actionUrl = (act: ActName): string => `/acts/${act}`;

/** What a form says, or what would be in one. */
export type FormFields = FormData | URLSearchParams;

/** The hidden fields of an act's form, by their names. */
export type ActionFields<Name extends ActName> = { [Field in keyof ActInput<Name>]?: string };

export type ActionReply<Name extends ActName> = ActionResult<ActOutput<Name>> & { next?: string };

/**
 * Have the service do something. `undefined` where nobody is signed in any more: then the page leads to where one does that.
 * @param here the page to come back to then, where it is not the one that shows; null to stay
 * @throws where it was not reached, or cannot say whether it was done
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
    // Said there: an answer is what somebody thinks they have given.
    const unsent = act.startsWith("approval.answer") ? `&unsent=${form.has("optionId") ? "choice" : "words"}` : "";
    if (here !== null) window.location.assign(`/sign-in?next=${encodeURIComponent(here)}${unsent}`);
    return undefined;
  }
  if (!reply.headers.get("content-type")?.startsWith("application/json")) throw new Error(`${act}: ${reply.status}`);
  return reply.json();
}
