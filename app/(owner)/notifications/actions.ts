"use server";
import { z } from "zod";
import { markAllRead, markRead } from "@/lib/notifications/feed";
import { ownerAction } from "@/lib/web/owner-action";

const View = z.object({ upTo: z.string(), app: z.string().optional() });

export const read = ownerAction(z.object({ id: z.string() }), (owner, { id }) => markRead(owner, id));
export const readAll = ownerAction(View, (owner, { upTo, app }) =>
  markAllRead(owner, { upTo, ...(app && { appId: app }) }),
);
