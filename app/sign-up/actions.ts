"use server";
import { redirect } from "next/navigation";
import { signUp } from "@/lib/owners/owners";
import { NewOwner } from "@/lib/owners/schema";
import { startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

/** Make an account and come in with it. */
export const join = visitorAction(NewOwner, async ({ address }, owner) => {
  await startSession(await signUp(owner, address), "password");
  redirect("/developer");
});
