"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { signIn } from "@/lib/owners/owners";
import { Credentials } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { visitorAction } from "@/lib/web/owner-action";
import { startSession } from "@/lib/web/session";

const Arrival = Credentials.extend({ next: z.string().default("") });

export const enter = visitorAction(Arrival, async ({ address }, { next, ...credentials }) => {
  await startSession(await signIn({ ...credentials, address }));
  redirect(localPath(next));
});
