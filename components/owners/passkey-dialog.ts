import { sendAction } from "@/components/actions/send-action";
import type { ActionOutput } from "@/lib/web/action-registry";
import type { ActionError } from "@/lib/web/action-result";

type AskName = "passkey.ask" | "session.ask-passkey" | "session.ask-own-passkey";

/**
 * Returns a function that prepares a form: it requests options with `ask`, runs the browser's
 * passkey dialog, and adds the dialog's result to the form as `response`. Requires scripts.
 */
export const withPasskey =
  <Name extends AskName>(ask: Name, dialog: (options: ActionOutput<Name>) => Promise<unknown>) =>
  async (form: FormData): Promise<ActionError | undefined> => {
    const challenge = await sendAction(ask, new FormData()).catch(() => undefined);
    if (challenge && !challenge.ok) return challenge;
    if (challenge?.value === undefined) return { ok: false, message: "Couldn’t prepare the passkey. Try again." };
    try {
      form.set("response", JSON.stringify(await dialog(challenge.value)));
      return undefined;
    } catch (error) {
      return { ok: false, message: passkeyProblem(error) };
    }
  };

/**
 * Describes why the dialog failed. Browsers report the same error if the dialog was closed, timed
 * out, or found no passkey.
 */
export function passkeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (name === "NotAllowedError" || name === "AbortError") return "The passkey dialog closed or timed out. Try again.";
  if (name === "SecurityError") return "Passkeys work only at the service’s HTTPS address.";
  return "This browser couldn’t use a passkey. Try another browser.";
}
