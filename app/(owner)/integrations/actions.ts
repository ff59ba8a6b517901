"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { beginLink } from "@/lib/integrations/link";
import { accesses } from "@/lib/integrations/schema";
import { ownerAction } from "@/lib/web/owner-action";

/** `integrationId`: the account to be connected again. */
const Setting = z.object({
  provider: z.string().max(30),
  access: z.array(z.enum(accesses)).default([]),
  integrationId: z.string().max(100).optional(),
});

export const beginLinkAction = ownerAction(Setting, async (owner, { provider, access, integrationId }) => {
  const { location } = await beginLink(owner, { provider, asked: access, ...(integrationId && { integrationId }) });
  redirect(location);
});
