import { sendAct } from "@/components/acts/send";
import { addressOf, type InboxActs } from "@/components/approvals/types";

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
