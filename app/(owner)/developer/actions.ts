"use server";
import { redirect } from "next/navigation";
import { changeApp, deleteApp, registerApp, rotateSecret } from "@/lib/apps/apps";
import { NewPersonalToken } from "@/lib/grants/schema";
import { createPersonalToken } from "@/lib/grants/tokens";
import { ownerAction } from "@/lib/web/owner-action";
import { OneApp, Redirects, Registration } from "./forms";

export const register = ownerAction(Registration, registerApp);
export const changeRedirects = ownerAction(Redirects, (owner, { clientId, ...change }) =>
  changeApp(owner, clientId, change),
);
export const replaceSecret = ownerAction(OneApp, (owner, { clientId }) => rotateSecret(owner, clientId));
export const createToken = ownerAction(NewPersonalToken, createPersonalToken);
export const removeApp = ownerAction(OneApp, async (owner, { clientId }) => {
  await deleteApp(owner, clientId);
  redirect("/developer");
});
