import type { InboxPosts } from "@/components/approvals/types";
import {
  postAnswer,
  postAsk,
  postBringBack,
  postMute,
  postSendNow,
  postSnooze,
  postUndo,
  postUnexpected,
} from "./actions";

/** What the inbox can have done without scripts. */
export const posts: InboxPosts = {
  answer: postAnswer,
  undo: postUndo,
  sendNow: postSendNow,
  snooze: postSnooze,
  bringBack: postBringBack,
  mute: postMute,
  ask: postAsk,
  unexpected: postUnexpected,
};
