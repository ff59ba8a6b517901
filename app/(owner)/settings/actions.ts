"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { changePassword, signOutEverywhere } from "@/lib/owners/owners";
import { PasswordChange } from "@/lib/owners/schema";
import { ownerAction } from "@/lib/web/owner-action";
import { endSession, startSession } from "@/lib/web/session";

export const changeMyPassword = ownerAction(PasswordChange, async (owner, change) => {
  const { sessionVersion } = await changePassword(owner, change);
  await startSession({ ownerId: owner.ownerId, sessionVersion });
});
export const leaveEverywhere = ownerAction(z.object({}), async (owner) => {
  await signOutEverywhere(owner);
  await endSession();
  redirect("/sign-in");
});
