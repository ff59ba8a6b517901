"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { changeAppChoice } from "@/lib/grants/app-choices";
import { revokeGrant, takeBackScope } from "@/lib/grants/grants";
import { muteType } from "@/lib/grants/muted-types";
import { ScopeName } from "@/lib/grants/schema";
import { shareIntegrations } from "@/lib/grants/share";
import { revokeToken } from "@/lib/grants/tokens";
import { ownerAction } from "@/lib/web/owner-action";
import { thenRefresh } from "../then-refresh";

const OneScope = z.object({ clientId: z.string(), scope: ScopeName });
const Accounts = z.object({ clientId: z.string(), integrationIds: z.array(z.string()).default([]) });
const clientId = z.string().max(100);
const on = z.enum(["yes", "no"]).transform((value) => value === "yes");
const OneChoice = z.object({ clientId, what: z.enum(["questionsMuted", "notificationsMuted", "alwaysConfirm"]), on });
const OneType = z.object({ clientId, type: z.string(), on });
const LockScreen = z.object({ clientId, lockScreen: z.enum(["same", "private", "full"]) });

export const choose = ownerAction(
  OneChoice,
  thenRefresh((owner, { clientId, what, on }) => changeAppChoice(owner, clientId, { [what]: on })),
);
export const chooseType = ownerAction(
  OneType,
  thenRefresh((owner, { clientId, type, on }) => muteType(owner, clientId, type, on)),
);
export const chooseLockScreen = ownerAction(
  LockScreen,
  thenRefresh((owner, { clientId, lockScreen }) =>
    changeAppChoice(owner, clientId, { lockScreen: lockScreen === "same" ? null : lockScreen }),
  ),
);
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
