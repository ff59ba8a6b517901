"use server";
import { z } from "zod";
import { findWaiting } from "@/lib/approvals/find-waiting";
import { liveApps } from "@/lib/grants/known-apps";
import { ownerAction } from "@/lib/web/owner-action";

/** What the palette finds that a page does not have: questions that wait, by their words, and the owner's apps. */
export const find = ownerAction(z.object({ words: z.string().max(200) }), async (owner, { words }) => {
  const [questions, apps] = await Promise.all([findWaiting(owner, words), liveApps(owner)]);
  return { questions, apps };
});
