import type { ActionInterceptor } from "@/components/actions/action-interceptor";
import { type FormFields, sendAction } from "@/components/actions/send";
import { addressOf, type InboxApproval } from "@/components/approvals/types";
import { sendAndRefresh } from "@/components/triage/send-and-refresh";
import type { ActName, ActOutput } from "@/lib/web/owner-actions";

/** Messages for a request that failed to reach the server. */
export const reasons = {
  signedOut: "You’re signed out. Sign in and send it again. Your text is saved.",
  lost: "Couldn't reach the server. Nothing was lost. Check your connection and send it again.",
};

/** Sends an action. */
export const send =
  <Name extends ActName>(act: Name, form: FormFields) =>
  () =>
    // After sign-in, return to the question itself: the page may have moved on.
    sendAction(act, form, form.has("id") ? addressOf(String(form.get("id"))) : undefined);

/** The most questions in one request. */
export const maxIdsPerRequest = 100;

/** Splits questions into chunks that fit one request. */
export const inChunks = <T>(several: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(several.length / maxIdsPerRequest) }, (_, at) =>
    several.slice(at * maxIdsPerRequest, (at + 1) * maxIdsPerRequest),
  );

/**
 * Sends an action for several questions, chunk by chunk. Returns the first chunk's reply, or the
 * first rejection.
 */
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

/** Sends an action and refreshes the page; every failure becomes a message. */
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

/**
 * Handles the inbox's forms: some take effect immediately; the rest are sent, then the page is
 * refreshed.
 */
export function inboxInterceptor({ known, undo, sendNow, bringBack, mute, notify }: Inbox): ActionInterceptor {
  const atOnce: Partial<Record<ActName, (approval: InboxApproval, form: FormData) => void>> = {
    "approval.undo": (approval) => undo([approval]),
    "approval.send-now": (approval) => sendNow([approval]),
    "approval.bring-back": (approval) => bringBack([approval]),
    "approval.mute": (approval, form) => mute(approval, form.get("muted") === "yes"),
  };
  return (act, form) => {
    // The dialog shows the result.
    if (act === "approval.unexpected") return false;
    const approval = known.find(({ _id }) => _id === (form.get("id") ?? form.get("ids")));
    const show = atOnce[act];
    const failed = (message: string) => notify(`That didn't work: ${message}`);
    if (show && approval) show(approval, form);
    else perform(act, form, () => {}, failed);
    return true;
  };
}

/** A form with the IDs of these questions. */
export const withIds = (several: Pick<InboxApproval, "_id">[], fields: Record<string, string> = {}) =>
  new URLSearchParams([...several.map(({ _id }) => ["ids", _id]), ...Object.entries(fields)]);

/** The same form, with the content hash of each question as displayed. */
export const withSeen = (several: Pick<InboxApproval, "_id" | "contentHash">[], fields: Record<string, string>) =>
  new URLSearchParams([...withIds(several, fields), ...several.map(({ contentHash }) => ["seen", contentHash])]);
