import type { FormAction } from "@/components/ui/action-form";

/**
 * An action that first has the browser's passkey dialog answer what `ask` got from the service, and sends that along as
 * `response`. Needs JavaScript; the library for it is loaded when it is used.
 */
export const withPasskey =
  <Options>(ask: FormAction<Options>, dialog: (options: Options) => Promise<unknown>, send: FormAction): FormAction =>
  async (previous, form) => {
    const asked = await ask(null, new FormData());
    if (!asked.ok) return asked;
    if (asked.value === undefined) return { ok: false, message: "That did not work. Please try again." };
    try {
      form.set("response", JSON.stringify(await dialog(asked.value)));
    } catch (error) {
      return { ok: false, message: reason(error) };
    }
    return send(previous, form);
  };

/** Browsers do not tell "closed the dialog" from "took too long" or "has none". */
function reason(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (name === "NotAllowedError" || name === "AbortError") return "No passkey was used. Try again, or use another way.";
  if (name === "SecurityError") return "Passkeys do not work at this address.";
  return "This browser could not use a passkey. Try again, or use another way.";
}
