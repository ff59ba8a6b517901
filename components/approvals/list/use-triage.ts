"use client";
import type { InboxApproval } from "@/components/approvals/types";
import type { Result } from "@/components/triage/send-and-refresh";
import { type RowAct, useActs } from "@/components/triage/use-acts";
import type { useToast } from "@/components/triage/use-toast";
import { useFormats } from "@/components/ui/time/formats";
import { absoluteTime } from "@/components/ui/time/relative-time";
import { plural } from "@/lib/text/plural";
import type { useInboxRows } from "./inbox-rows";
import { perform, reasons, send, sendAll } from "./requests";

/** The result in words, and how to undo it, if possible. */
type Step = { words: string; undone?: string; back?: () => Promise<Result<unknown> | undefined> };
type InboxAct = RowAct<InboxApproval, Step> & { notDone: string };
type Wires = {
  view: "waiting" | "snoozed" | "passed";
  rows: Pick<ReturnType<typeof useInboxRows>, "hide" | "save" | "restore">;
  news: ReturnType<typeof useToast>;
};

/**
 * The owner's actions on a question other than answering. Rows leave the list in the same frame.
 */
export function useTriage({ view, rows, news: { announce, notify } }: Wires) {
  const formats = useFormats();
  const acts = useActs<InboxApproval, Step, InboxAct>({
    show: ({ gone }, done) => (done ? rows.hide(gone.map(({ _id }) => _id)) : rows.restore(gone)),
    save: ({ gone }) => rows.save(gone.map(({ _id }) => _id)),
    sendBack: async ({ back }) => back?.(),
    told: {
      done: (_, { words, back }, undo) => notify(words, back && undo),
      undone: (_, { undone = "Undone" }) => notify(undone),
      failed: ({ notDone }, message) => notify(`${notDone}: ${message}`),
      notUndone: (_, message) => notify(`Couldn't undo: ${message}`),
    },
    reasons,
  });

  const snooze = (several: InboxApproval[], choice: string) =>
    acts.act({
      about: several.map(({ _id }) => _id),
      gone: leaves("snooze", view) ? several : [],
      notDone: "Couldn’t snooze",
      send: asStep(sendAll("approval.snooze", several, { choice }), (until) => ({
        words: `${plural(several.length, { one: "Snoozed", other: "# snoozed" })} until ${absoluteTime(until, formats)}`,
        undone: back(several),
        back: sendAll("approval.bring-back", several),
      })),
    });

  const bringBack = (several: InboxApproval[]) =>
    acts.act({
      about: several.map(({ _id }) => _id),
      gone: leaves("bring back", view) ? several : [],
      notDone: "Couldn’t bring back",
      send: asStep(sendAll("approval.bring-back", several), () => ({ words: back(several) })),
    });

  const mute = ({ clientId, app }: InboxApproval, as: boolean) => {
    const set = (muted: boolean) =>
      send("approval.mute", new URLSearchParams({ clientId, muted: muted ? "yes" : "no" }));
    const words = (muted: boolean) =>
      muted ? `Muted ${app.name}. Its questions move to the bottom and aren't counted` : `Unmuted ${app.name}`;
    acts.act({
      about: [clientId],
      gone: [],
      notDone: "Couldn’t change muting",
      send: asStep(set(as), () => ({ words: words(as), undone: words(!as), back: set(!as) })),
    });
  };

  /** @returns the reason for a failure, if any */
  const askBack = ({ app }: InboxApproval, form: FormData): Promise<string | undefined> =>
    new Promise((resolve) => {
      perform(
        "approval.ask",
        form,
        () => {
          notify(`Asked. The question comes back when ${app.name} replies`);
          resolve(undefined);
        },
        (message) => {
          announce(`Couldn’t ask: ${message}`);
          resolve(message);
        },
      );
    });

  return { snooze, bringBack, mute, askBack };
}

/**
 * Whether the action removes the question from the view. Snoozed again, a question stays in
 * Snoozed.
 */
export const leaves = (act: "snooze" | "bring back", view: Wires["view"]): boolean =>
  view === (act === "snooze" ? "waiting" : "snoozed");

const back = ({ length }: InboxApproval[]) =>
  plural(length, { one: "Back in the inbox", other: "# back in the inbox" });

/** Runs the action, and describes its result. */
const asStep =
  <T>(act: () => Promise<Result<T> | undefined>, step: (value: T) => Step) =>
  async (): Promise<Result<Step> | undefined> => {
    const result = await act();
    return result?.ok ? { ok: true, value: step(result.value as T) } : result;
  };
