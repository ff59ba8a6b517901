import type { ActionInterceptor } from "@/components/actions/action-interceptor";
import { type FormFields, sendAction } from "@/components/actions/send";
import { addressOf, type InboxApproval } from "@/components/approvals/types";
import { sendAndRefresh } from "@/components/triage/send-and-refresh";
import type { ActName, ActOutput } from "@/lib/web/owner-actions";

/** What the owner reads where an act did not arrive. */
export const reasons = {
  signedOut: "Sign in again, then send it once more. What you typed is kept.",
  lost: "It did not reach the service. Nothing was lost: check the connection and send it again.",
};

/** Has an act done. */
export const send =
  <Name extends ActName>(act: Name, form: FormFields) =>
  () =>
    // After signing in back to the question itself: the page may have gone on to the next.
    sendAction(act, form, form.has("id") ? addressOf(String(form.get("id"))) : undefined);

/** Most questions that one request can be about. */
export const maxIdsPerRequest = 100;

/** These in parts of as many as one request can be about. */
export const inChunks = <T>(several: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(several.length / maxIdsPerRequest) }, (_, at) =>
    several.slice(at * maxIdsPerRequest, (at + 1) * maxIdsPerRequest),
  );

/** Has an act done with several questions, one part after the other. Answers as for the first part, or for one that is refused. */
export const sendAll =
  <Name extends ActName>(act: Name, several: InboxApproval[], fields: Record<string, string> = {}) =>
  async () => {
    const [first = [], ...others] = inChunks(several);
    const answer = await send(act, withIds(first, fields))();
    for (const part of others) {
      if (!answer?.ok) break;
      const next = await send(act, withIds(part, fields))();
      if (!next?.ok) return next;
    }
    return answer;
  };

/** Have an act done, and the page read again; whatever goes wrong becomes a sentence. */
export function perform<Name extends ActName>(
  act: Name,
  form: FormFields,
  done: (value: ActOutput<Name>) => void,
  failed: (message: string) => void,
): void {
  void sendAndRefresh(send(act, form), done, failed, reasons);
}

type Inbox = {
  known: InboxApproval[];
  undo: (several: InboxApproval[]) => void;
  sendNow: (several: InboxApproval[]) => void;
  bringBack: (several: InboxApproval[]) => void;
  mute: (approval: InboxApproval, as: boolean) => void;
  notify: (words: string) => void;
};

/** Does what the controls of the inbox ask for: some of it shows at once; the rest is done, and the page read again. */
export function inboxInterceptor({ known, undo, sendNow, bringBack, mute, notify }: Inbox): ActionInterceptor {
  const atOnce: Partial<Record<ActName, (approval: InboxApproval, form: FormData) => void>> = {
    "approval.undo": (approval) => undo([approval]),
    "approval.send-now": (approval) => sendNow([approval]),
    "approval.bring-back": (approval) => bringBack([approval]),
    "approval.mute": (approval, form) => mute(approval, form.get("muted") === "yes"),
  };
  return (act, form) => {
    // Its dialog says what came of it.
    if (act === "approval.unexpected") return false;
    const approval = known.find(({ _id }) => _id === (form.get("id") ?? form.get("ids")));
    const show = atOnce[act];
    const failed = (message: string) => notify(`Not done: ${message}`);
    if (show && approval) show(approval, form);
    else perform(act, form, () => {}, failed);
    return true;
  };
}

/** A form that names these questions. */
export const withIds = (several: Pick<InboxApproval, "_id">[], fields: Record<string, string> = {}) =>
  new URLSearchParams([...several.map(({ _id }) => ["ids", _id]), ...Object.entries(fields)]);

/** The same, with what of each the owner saw. */
export const withSeen = (several: Pick<InboxApproval, "_id" | "contentHash">[], fields: Record<string, string>) =>
  new URLSearchParams([...withIds(several, fields), ...several.map(({ contentHash }) => ["seen", contentHash])]);
