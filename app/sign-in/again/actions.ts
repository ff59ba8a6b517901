"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { showPassword } from "@/lib/owners/owners";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys";
import { Credentials, PasskeyAnswer } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { requireOwner, startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

/** The local path to go on to. */
const path = z.string().default("");

export const confirmPassword = visitorAction(
  Credentials.pick({ password: true }).extend({ next: path }),
  async (visitor, { next, password }) => {
    await startSession(await showPassword(await requireOwner(), { password, ...visitor }), "password");
    redirect(localPath(next));
  },
);
export const askMyPasskey = visitorAction(z.object({}), async (visitor) =>
  askForPasskey(visitor, await requireOwner()),
);
export const confirmPasskey = visitorAction(
  PasskeyAnswer.extend({ back: path }),
  async (visitor, { back, response }) => {
    await startSession(await signInWithPasskey(response, visitor, await requireOwner()), "passkey");
    redirect(localPath(back));
  },
);
