import type { FormAction } from "@/components/ui/action-form";

/**
 * An action that first runs the browser's passkey dialog with the options from `ask`, then sends
 * the result as `response`. Needs JavaScript; the library is loaded on first use.
 */
export const withPasskey =
  <Options>(ask: FormAction<Options>, dialog: (options: Options) => Promise<unknown>, send: FormAction): FormAction =>
  async (previous, form) => {
    const asked = await ask(null, new FormData());
    if (!asked.ok) return asked;
    if (asked.value === undefined) return { ok: false, message: "Something went wrong. Try again." };
    try {
      form.set("response", JSON.stringify(await dialog(asked.value)));
    } catch (error) {
      return { ok: false, message: reason(error) };
    }
    return send(previous, form);
  };

/** Browsers report a closed dialog, a timeout and a missing passkey as the same error. */
function reason(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (name === "NotAllowedError" || name === "AbortError")
    return "No passkey was used. Try again, or sign in another way.";
  if (name === "SecurityError") return "Passkeys don’t work at this address.";
  return "This browser couldn’t use a passkey. Try again, or sign in another way.";
}
