"use server";
import { redirect } from "next/navigation";
import { changeApp, declareScopes, deleteApp, registerApp } from "@/lib/apps/apps";
import { endOldSecret, rotateSecret } from "@/lib/apps/secrets";
import { NewPersonalToken } from "@/lib/grants/schema";
import { createPersonalToken } from "@/lib/grants/tokens";
import { ownerAction } from "@/lib/web/owner-action";
import { thenRefresh } from "../then-refresh";
import { OneApp, Redirects, Registration } from "./forms";

export const register = ownerAction(Registration, thenRefresh(registerApp));
export const createToken = ownerAction(NewPersonalToken, thenRefresh(createPersonalToken));
export const changeRedirects = ownerAction(
  Redirects,
  thenRefresh((owner, { clientId, ...change }) => changeApp(owner, clientId, change)),
);
export const replaceSecret = ownerAction(
  OneApp,
  thenRefresh((owner, { clientId }) => rotateSecret(owner, clientId)),
);
export const removeApp = ownerAction(OneApp, async (owner, { clientId }) => {
  await deleteApp(owner, clientId);
  redirect("/developer");
});
