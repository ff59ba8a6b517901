import { z } from "zod";
import { ownerAction } from "@/lib/form-action";
import { type Triage, TriageForm, triageActions, undoActions } from "./schema";
import { sendTestNotification } from "./test-notification";
import { markSeen, triage } from "./triage";
import { triageMessage } from "./triage-message";

/** The confirmation, with the undo if something changed. */
export type TriageStep = { words: string; undo?: Pick<Triage, "act" | "ids" | "at"> };

const one = <Act extends Triage["act"]>(act: Act) =>
  ownerAction({
    name: `notification.${act}`,
    input: TriageForm,
    run: async (owner, form): Promise<TriageStep> => {
      const { count, undo } = await triage(owner, { act, ...form });
      return { words: triageMessage(act, count), ...(undo && { undo }) };
    },
    flash: (step) => step,
  });

/** Every action on notifications, and its undo. */
export const triaging = [...triageActions, ...undoActions].map(one) as {
  [Act in Triage["act"]]: ReturnType<typeof one<Act>>;
}[Triage["act"]][];

/** Records that the owner has seen notifications up to a given one. */
export const seeFeed = ownerAction({
  name: "notification.see",
  input: z.object({ upTo: z.string() }),
  run: (owner, { upTo }) => markSeen(owner, upTo),
});

/** Sends a test notification as an app would. */
export const tryOut = ownerAction({ name: "notification.try", input: z.object({}), run: sendTestNotification });
