"use server";
import { redirect } from "next/navigation";
import { sendTestApproval } from "@/lib/approvals/try-out";
import { changeApp, declareScopes, deleteApp, registerApp } from "@/lib/apps/apps";
import { endOldSecret, rotateSecret } from "@/lib/apps/secrets";
import { NewPersonalToken } from "@/lib/grants/schema";
import { createPersonalToken } from "@/lib/grants/tokens";
import { sendTestNotification } from "@/lib/notifications/try-out";
import { ownerAction } from "@/lib/web/owner-action";
import { thenRefresh } from "../then-refresh";
import { Declaration, Nothing, OneApp, Redirects, Registration } from "./forms";

export const register = ownerAction(Registration, thenRefresh(registerApp));
export const createToken = ownerAction(NewPersonalToken, thenRefresh(createPersonalToken));
export const changeRedirects = ownerAction(
  Redirects,
  thenRefresh((owner, { clientId, ...change }) => changeApp(owner, clientId, change)),
);
export const declare = ownerAction(
  Declaration,
  thenRefresh((owner, { clientId, declaredScopes }) => declareScopes(owner, clientId, declaredScopes)),
);
export const askMyself = ownerAction(Nothing, async (owner) => {
  const { id } = await sendTestApproval(owner);
  redirect(`/approvals/${id}`);
});
export const notifyMyself = ownerAction(
  Nothing,
  thenRefresh(async (owner) => void (await sendTestNotification(owner))),
);
export const endOld = ownerAction(
  OneApp,
  thenRefresh((owner, { clientId }) => endOldSecret(owner, clientId)),
);
export const replaceSecret = ownerAction(
  OneApp,
  thenRefresh((owner, { clientId }) => rotateSecret(owner, clientId)),
);
export const removeApp = ownerAction(OneApp, async (owner, { clientId }) => {
  await deleteApp(owner, clientId);
  redirect("/developer");
});
