import { sendAct } from "@/components/acts/send";
import { addressOf, type InboxApproval } from "@/components/approvals/types";
import { deliver } from "@/components/triage/deliver";
import type { ActName, ActOutput } from "@/lib/web/owner-acts";

const reasons = {
  signedOut: "Sign in again, then send it once more. Your words are kept.",
  lost: "It did not reach the service. Nothing was lost: check the connection and send it again.",
};

/** Have an act done, and the page read again; whatever goes wrong becomes a sentence. */
export function perform<Name extends ActName>(
  act: Name,
  form: FormData,
  done: (value: ActOutput<Name>) => void,
  failed: (message: string) => void,
): void {
  // Back to the question itself: the page may have gone on to the next.
  const here = form.has("id") ? addressOf(String(form.get("id"))) : undefined;
  void deliver(() => sendAct(act, form, here), done, failed, reasons);
}

/** A form that names these questions. */
export function withIds(several: Pick<InboxApproval, "_id">[], fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const { _id } of several) form.append("ids", _id);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** The same, with what of each the owner saw. */
export function withSeen(
  several: Pick<InboxApproval, "_id" | "contentHash">[],
  fields: Record<string, string>,
): FormData {
  const form = withIds(several, fields);
  for (const { contentHash } of several) form.append("seen", contentHash);
  return form;
}
