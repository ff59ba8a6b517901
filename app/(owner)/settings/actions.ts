"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { deleteOwner } from "@/lib/owners/deletion";
import { changePassword, signOutEverywhere } from "@/lib/owners/owners";
import { addPasskey, beginPasskey, removePasskey } from "@/lib/owners/passkeys";
import { makeRecoveryCodes } from "@/lib/owners/recovery";
import { putAwayRefusals } from "@/lib/owners/refusals";
import { Deletion, NewPasskey, PasswordChange, SettingChange } from "@/lib/owners/schema";
import { endSession } from "@/lib/owners/sessions";
import { changeSetting } from "@/lib/owners/setting-change";
import { visitor } from "@/lib/web/browser";
import { rememberLook } from "@/lib/web/look";
import { ownerAction } from "@/lib/web/owner-action";
import { endSession as endThisSession, startSession } from "@/lib/web/session";
import { thenRefresh } from "../then-refresh";

const One = z.object({ id: z.string().max(1400) });

export const changeMyPassword = ownerAction(PasswordChange, async (owner, change) => {
  const { address } = await visitor();
  await startSession(await changePassword(owner, { ...change, address }), "password", owner.session);
});
export const leaveEverywhere = ownerAction(z.object({}), async (owner) => {
  await signOutEverywhere(owner);
  await endThisSession();
  redirect("/sign-in");
});
export const endOneSession = ownerAction(
  One,
  thenRefresh((owner, { id }) => endSession(owner, id)),
);
export const askNewPasskey = ownerAction(z.object({}), beginPasskey);
export const addMyPasskey = ownerAction(
  NewPasskey,
  thenRefresh(async (owner, passkey) => void (await addPasskey(owner, passkey))),
);
export const removeMyPasskey = ownerAction(
  One,
  thenRefresh((owner, { id }) => removePasskey(owner, id)),
);
export const newRecoveryCodes = ownerAction(z.object({}), thenRefresh(makeRecoveryCodes));

export const dismissRefusals = ownerAction(
  z.object({ until: z.coerce.number().int().min(0).max(8.64e15) }),
  thenRefresh((owner, { until }) => putAwayRefusals(owner, until)),
);

export const saveSetting = ownerAction(
  SettingChange,
  thenRefresh(async (owner, change) => rememberLook(await changeSetting(owner, change))),
);
export const deleteMyAccount = ownerAction(Deletion, async (owner, typed) => {
  await deleteOwner(owner, typed);
  await endThisSession();
  redirect("/goodbye");
});
