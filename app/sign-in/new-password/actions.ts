"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { resetPassword } from "@/lib/owners/owners";
import { PasswordReset } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { ownerAction } from "@/lib/web/owner-action";
import { startSession } from "@/lib/web/session";

export const chooseNewPassword = ownerAction(
  PasswordReset.extend({ back: z.string().default("") }),
  async (owner, { back, ...reset }) => {
    await startSession(await resetPassword(owner, reset), "password");
    redirect(localPath(back));
  },
);
