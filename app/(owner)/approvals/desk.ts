import { z } from "zod";
import type { Rules } from "@/components/approvals/types";
import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { Several } from "@/lib/approvals/answer-form";
import { snoozeApprovals } from "@/lib/approvals/desk";
import { changeAppChoice } from "@/lib/grants/app-choices";
import type { Settings } from "@/lib/owners/schema";
import { readSettings } from "@/lib/owners/settings";
import { SnoozeChoice, snoozeOffers } from "@/lib/owners/snooze";

export const SnoozeForm = Several.extend({ choice: SnoozeChoice });
export const snooze = async (owner: OwnerActor, { ids, choice }: z.output<typeof SnoozeForm>) =>
  snoozeApprovals(owner, ids, { choice, timeZone: (await readSettings(owner)).timeZone });

export const MuteForm = z.object({ clientId: z.string().regex(/^app_[0-9a-v]{32}$/), muted: z.enum(["yes", "no"]) });
export const muteApp = (owner: SessionOwner, { clientId, muted }: z.output<typeof MuteForm>) =>
  changeAppChoice(owner, clientId, { questionsMuted: muted === "yes" });

/** What the inbox goes by, of what the owner chose. */
export const rulesOf = ({ undoSeconds, alwaysConfirm, timeZone }: Settings): Rules => ({
  undoSeconds,
  alwaysConfirm,
  snoozes: snoozeOffers(timeZone, Date.now()),
});
