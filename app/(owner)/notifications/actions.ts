"use server";
import { z } from "zod";
import { Triage } from "@/lib/notifications/schema";
import { markSeen, triage } from "@/lib/notifications/triage";
import { triageWords } from "@/lib/notifications/words";
import { ownerAction } from "@/lib/web/owner-action";

export const sendTriage = ownerAction(Triage, async (owner, asked) => {
  const { count, undo } = await triage(owner, asked);
  return { words: triageWords(asked.act, count), ...(undo && { undo }) };
});

export const sendSeen = ownerAction(z.object({ upTo: z.string() }), (owner, { upTo }) => markSeen(owner, upTo));
