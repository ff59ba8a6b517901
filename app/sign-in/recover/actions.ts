"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { signInWithRecoveryCode } from "@/lib/owners/recovery";
import { Recovery } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

/** Come in with a recovery code, and on to a new password. */
export const recover = visitorAction(
  Recovery.extend({ next: z.string().default("") }),
  async (visitor, { next, ...recovery }) => {
    await startSession(await signInWithRecoveryCode({ ...recovery, ...visitor }), "recovery_code");
    redirect(`/sign-in/new-password?next=${encodeURIComponent(localPath(next))}`);
  },
);
