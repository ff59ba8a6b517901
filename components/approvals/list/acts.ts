import { sendAct } from "@/components/acts/send";
import { addressOf, type InboxActs, type InboxApproval } from "@/components/approvals/types";
import { deliver, type Result } from "@/components/triage/deliver";

/** Back to the question itself: the page may have gone on to the next. */
const here = (form: FormData) => (form.has("id") ? addressOf(String(form.get("id"))) : undefined);

export const acts: InboxActs = {
  send: (form) => {
    // This page asked before, where its owner wants that.
    if (form.has("optionId")) form.set("confirmed", String(form.get("optionId")));
    return sendAct("approval.answer", form, here(form));
  },
  sendTogether: (form) => sendAct("approval.answer-together", form),
  undo: (form) => sendAct("approval.undo", form),
  sendNow: (form) => sendAct("approval.send-now", form),
  snooze: (form) => sendAct("approval.snooze", form),
  bringBack: (form) => sendAct("approval.bring-back", form),
  mute: (form) => sendAct("approval.mute", form),
  ask: (form) => sendAct("approval.ask", form, here(form)),
};

/** Have an act done, and the page read again; whatever goes wrong becomes a sentence. */
export const call = <T>(
  act: () => Promise<Result<T> | undefined>,
  done: (value: T) => void,
  failed: (message: string) => void,
): Promise<void> =>
  deliver(act, done, failed, {
    signedOut: "Sign in again, then send it once more. Your words are kept.",
    lost: "It did not reach the service. Nothing was lost: check the connection and send it again.",
  });

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
