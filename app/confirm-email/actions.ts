"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { confirmEmail } from "@/lib/owners/email-confirmation";
import { visitorAction } from "@/lib/web/visitor-action";

/** Anyone with the link can confirm its address, signed in or not. */
export const confirm = visitorAction(z.object({ token: z.string().max(200) }), async (_visitor, { token }) => {
  await confirmEmail(token);
  redirect("/confirm-email?done=1");
});
