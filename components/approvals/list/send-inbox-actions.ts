import type { ActionInterceptor } from "@/components/actions/action-interceptor";
import { type FormFields, sendAction } from "@/components/actions/send-action";
import { addressOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { sendAndRefresh } from "@/components/triage/send-action-and-refresh";
import type { ActionName, ActionOutput } from "@/lib/web/action-registry";

/** Messages for a request that got no result. */
export const reasons = {
  signedOut: "You’re signed out. Sign in and try again. Your text is saved.",
  lost: "The server isn’t responding. Check your connection and try again.",
};

export const send =
  <Name extends ActionName>(act: Name, form: FormFields) =>
  () =>
    // After a new sign-in, the owner returns to this question, even if the page has since advanced.
    sendAction(act, form, form.has("id") ? { here: addressOf(String(form.get("id"))) } : {});

/** The maximum number of questions in one request. */
export const maxIdsPerRequest = 100;

/** Splits questions into chunks that fit one request. */
export const inChunks = <T>(several: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(several.length / maxIdsPerRequest) }, (_, index) =>
    several.slice(index * maxIdsPerRequest, (index + 1) * maxIdsPerRequest),
  );

/**
 * Sends an action for several questions, in chunks. Stops at the first rejected chunk. Returns its
 * reply, or otherwise the first chunk's reply.
 */
export const sendAll =
  <Name extends ActionName>(act: Name, several: InboxApproval[], fields: Record<string, string> = {}) =>
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

/** Sends an action and refreshes the page. Every failure becomes a message. */
export function perform<Name extends ActionName>(
  act: Name,
  form: FormFields,
  done: (value: ActionOutput<Name>) => void,
  failed: (message: string) => void,
): void {
  void sendAndRefresh(send(act, form), done, failed, reasons);
}

type Inbox = {
  known: InboxApproval[];
  undo: (several: InboxApproval[]) => void;
  sendNow: (several: InboxApproval[]) => void;
  /** Performs the action with optimistic feedback. Returns false if the action has none. */
  act: (name: ActionName, several: InboxApproval[], fields: Record<string, string>) => boolean;
  notify: (words: string) => void;
};

/**
 * Handles the inbox's forms. Some update the page before the server replies. The others refresh the
 * page after they are sent.
 */
export function inboxInterceptor({ known, undo, sendNow, act, notify }: Inbox): ActionInterceptor {
  return (name, form) => {
    // The form's own dialog shows the result.
    if (name === "approval.unexpected") return false;
    const { id, ids = id, ...fields } = Object.fromEntries([...form].map(([field, value]) => [field, String(value)]));
    const approval = known.find(({ _id }) => _id === ids);
    if (approval && name === "approval.undo") undo([approval]);
    else if (approval && name === "approval.send-now") sendNow([approval]);
    else if (!approval || !act(name, [approval], fields))
      perform(
        name,
        form,
        () => {},
        (message) => notify(`Couldn’t save your change. ${message}`),
      );
    return true;
  };
}

/** A form with the IDs of these questions. */
export const withIds = (several: Pick<InboxApproval, "_id">[], fields: Record<string, string> = {}) =>
  new URLSearchParams([...several.map(({ _id }) => ["ids", _id]), ...Object.entries(fields)]);

/** A form with the IDs and the displayed content hashes of these questions. */
export const withSeen = (several: Pick<InboxApproval, "_id" | "contentHash">[], fields: Record<string, string>) =>
  new URLSearchParams([...withIds(several, fields), ...several.map(({ contentHash }) => ["seen", contentHash])]);
