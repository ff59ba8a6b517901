"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { requestSignInLink, signInWithLink } from "@/lib/owners/links";
import { LinkRequest } from "@/lib/owners/schema";
import { startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

/** The mail is not waited for: how long it takes would tell whether there is such an account. */
export const sendLink = visitorAction(LinkRequest, async (visitor, request) => {
  await requestSignInLink(request, visitor);
});
export const openLink = visitorAction(z.object({ token: z.string().max(200) }), async (_visitor, { token }) => {
  const { kind, ...entrance } = await signInWithLink(token);
  await startSession(entrance, kind);
  redirect(kind === "reset_link" ? "/sign-in/new-password" : "/approvals");
});
