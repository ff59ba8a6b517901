"use client";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import type { ListMessages } from "@/components/triage/use-list-store";
import { type RowAction, useRowActions } from "@/components/triage/use-row-actions";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { momentHere } from "@/components/ui/time/time-text";
import { type PluralForms, plural } from "@/lib/text/plural";
import type { ActionName } from "@/lib/web/action-registry";
import type { ActionResult } from "@/lib/web/action-result";
import type { InboxProps } from "./inbox-props";
import { perform, reasons, sendAll } from "./send-inbox-actions";
import type { useInboxRows } from "./use-inbox-rows";

/** The result as text, and how to undo the action, if possible. */
type Step = { words: string; undone?: string; back?: () => Promise<ActionResult<unknown> | undefined> };
type InboxAction = RowAction<InboxApproval, Step> & { notDone: string };
type TriageOptions = Pick<InboxProps, "view" | "optimistic"> & {
  rows: Pick<ReturnType<typeof useInboxRows>, "hide" | "save" | "restore">;
  news: ListMessages;
};
type Fields = Record<string, string>;

/**
 * The owner's actions on a question, except answers. For each action, `optimistic` (lib/form-action.ts)
 * defines the rows that leave the list at once, the toast and the undo.
 */
export function useApprovalTriage({ view, optimistic, rows, news: { announce, notify } }: TriageOptions) {
  const formats = useFormats();
  const actions = useRowActions<InboxApproval, Step, InboxAction>({
    show: ({ gone }, done) => (done ? rows.hide(gone.map(({ _id }) => _id)) : rows.restore(gone)),
    save: ({ gone }) => rows.save(gone.map(({ _id }) => _id)),
    sendBack: async ({ back }) => back?.(),
    told: {
      done: (_, { words, back }, undo) => notify(words, back && undo),
      undone: (_, { undone = "Action undone" }) => notify(undone),
      failed: ({ notDone }, message) => notify(`${notDone}. ${message}`),
      notUndone: (_, message) => notify(`Couldn’t undo. ${message}`),
    },
    reasons,
  });
  const feedbackOf = (name: string, fields: Fields) =>
    optimistic[name]?.find(({ when = {} }) => Object.entries(when).every(([field, value]) => fields[field] === value));

  /**
   * Performs an action.
   * @returns the action's optimistic feedback; if undefined, nothing was sent
   */
  const act = (name: ActionName, several: InboxApproval[], fields: Fields) => {
    const [first] = several;
    const feedback = first && feedbackOf(name, fields);
    if (!feedback) return undefined;
    const inWords = (forms: PluralForms, until: unknown) =>
      plural(several.length, forms)
        .replace("{app}", () => first.app.name)
        .replace("{until}", () => (typeof until === "number" ? momentHere(until, formats) : ""));
    const { undo } = feedback;
    const undoFields = { ...fields, ...undo?.fields };
    const undone = undo && feedbackOf(undo.act, undoFields)?.done;
    const send = async (): Promise<ActionResult<Step> | undefined> => {
      const result = await sendAll(name, several, fields)();
      if (!result?.ok) return result;
      const words = inWords(feedback.done, result.value);
      const back = undo && {
        ...(undone && { undone: inWords(undone, undefined) }),
        back: sendAll(undo.act as ActionName, several, undoFields),
      };
      return { ok: true, value: { words, ...back } };
    };
    const about = fields.clientId === undefined ? several.map(({ _id }) => _id) : [fields.clientId];
    actions.act({ about, gone: feedback.leaves === view ? several : [], notDone: feedback.failed, send });
    return feedback;
  };

  /** Sends the owner's question to the app. @returns the reason for a failure, if any */
  const askBack = ({ app }: InboxApproval, form: FormData): Promise<string | undefined> =>
    new Promise((resolve) => {
      perform(
        "approval.ask",
        form,
        () => {
          notify(`You asked ${app.name}. The question returns to your inbox when the app replies.`);
          resolve(undefined);
        },
        (message) => {
          announce(`Couldn’t send your question. ${message}`);
          resolve(message);
        },
      );
    });

  return { act, askBack };
}
