"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { showPassword } from "@/lib/owners/owners";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys";
import { Credentials, PasskeyAnswer } from "@/lib/owners/schema";
import { visitor } from "@/lib/web/browser";
import { localPath } from "@/lib/web/next-path";
import { ownerAction } from "@/lib/web/owner-action";
import { startSession } from "@/lib/web/session";

/** The local path to go on to. */
const path = z.string().default("");

export const confirmPassword = ownerAction(
  Credentials.pick({ password: true }).extend({ next: path }),
  async (owner, { next, password }) => {
    await startSession(await showPassword(owner, { password, ...(await visitor()) }), "password");
    redirect(localPath(next));
  },
);
export const askMyPasskey = ownerAction(z.object({}), async (owner) => askForPasskey(await visitor(), owner));
export const confirmPasskey = ownerAction(PasskeyAnswer.extend({ back: path }), async (owner, { back, response }) => {
  await startSession(await signInWithPasskey(response, await visitor(), owner), "passkey");
  redirect(localPath(back));
});
