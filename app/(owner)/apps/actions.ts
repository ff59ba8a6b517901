"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { revokeGrant, shareIntegrations, takeBackScope } from "@/lib/grants/grants";
import { ScopeName } from "@/lib/grants/schema";
import { revokeToken } from "@/lib/grants/tokens";
import { ownerAction } from "@/lib/web/owner-action";
import { thenRefresh } from "../then-refresh";

const OneScope = z.object({ clientId: z.string(), scope: ScopeName });
const Accounts = z.object({ clientId: z.string(), integrationIds: z.array(z.string()).default([]) });

export const takeBack = ownerAction(
  OneScope,
  thenRefresh((owner, { clientId, scope }) => takeBackScope(owner, clientId, scope)),
);
export const share = ownerAction(
  Accounts,
  thenRefresh((owner, { clientId, integrationIds }) => shareIntegrations(owner, clientId, integrationIds)),
);
export const endToken = ownerAction(
  z.object({ id: z.string() }),
  thenRefresh((owner, { id }) => revokeToken(owner, id)),
);
export const revoke = ownerAction(z.object({ clientId: z.string() }), async (owner, { clientId }) => {
  await revokeGrant(owner, clientId);
  redirect("/apps");
});
