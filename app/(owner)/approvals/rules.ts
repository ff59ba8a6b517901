import type { Rules } from "@/components/approvals/types";
import type { Settings } from "@/lib/owners/schema";
import { snoozeOffers } from "@/lib/owners/snooze";

/** What the inbox goes by, of what the owner chose. */
export const rulesOf = ({ undoSeconds, alwaysConfirm, timeZone }: Settings): Rules => ({
  undoSeconds,
  alwaysConfirm,
  snoozes: snoozeOffers(timeZone, Date.now()),
});
