"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { resetPassword } from "@/lib/owners/owners";
import { PasswordReset } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { requireOwner, startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

export const chooseNewPassword = visitorAction(
  PasswordReset.extend({ back: z.string().default("") }),
  async (_visitor, { back, ...reset }) => {
    await startSession(await resetPassword(await requireOwner(), reset), "password");
    redirect(localPath(back));
  },
);
