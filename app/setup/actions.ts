"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { NewOwner } from "@/lib/owners/schema";
import { setUp } from "@/lib/owners/setup";
import { startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

const FirstOwner = NewOwner.extend({ token: z.string() });

/** Make the first account and come in with it. */
export const moveIn = visitorAction(FirstOwner, async (_visitor, { token, ...owner }) => {
  await startSession(await setUp(token, owner), "password");
  redirect("/developer");
});
