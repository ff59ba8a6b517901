import type { InboxActs, InboxPosts, Rules } from "@/components/approvals/types";
import type { Settings } from "@/lib/owners/schema";
import { snoozeOffers } from "@/lib/owners/snooze";
import {
  askTheApp,
  comeBack,
  mute,
  postAnswer,
  postAsk,
  postBringBack,
  postMute,
  postSendNow,
  postSnooze,
  postUndo,
  postUnexpected,
  sendAnswer,
  sendNow,
  sendTogether,
  snooze,
  undo,
} from "./actions";

/** What the inbox can have done, with scripts and without. */
export const acts: InboxActs = {
  send: sendAnswer,
  sendTogether,
  undo,
  sendNow,
  snooze,
  bringBack: comeBack,
  mute,
  ask: askTheApp,
};
export const posts: InboxPosts = {
  ...{ answer: postAnswer, undo: postUndo, sendNow: postSendNow, snooze: postSnooze },
  ...{ bringBack: postBringBack, mute: postMute, ask: postAsk, unexpected: postUnexpected },
};

/** What the inbox goes by, of what the owner chose. */
export const rulesOf = ({ undoSeconds, alwaysConfirm, timeZone }: Settings): Rules => ({
  ...{ undoSeconds, alwaysConfirm },
  snoozes: snoozeOffers(timeZone, Date.now()),
});
