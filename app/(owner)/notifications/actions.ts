"use server";
import { refresh } from "next/cache";
import { z } from "zod";
import { markAllRead, markRead } from "@/lib/notifications/feed";
import { ownerAction } from "@/lib/web/owner-action";

const View = z.object({ upTo: z.string(), app: z.string().optional() });

export const read = ownerAction(z.object({ id: z.string() }), async (owner, { id }) => {
  await markRead(owner, id);
  refresh();
});
export const readAll = ownerAction(View, async (owner, { upTo, app }) => {
  await markAllRead(owner, { upTo, ...(app && { appId: app }) });
  refresh();
});
