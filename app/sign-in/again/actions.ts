"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { signIn } from "@/lib/owners/owners";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys";
import { Credentials, PasskeyAnswer } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { ownerAction } from "@/lib/web/owner-action";
import { clientAddress, startSession } from "@/lib/web/session";

/** The local path to go on to. */
const path = z.string().default("");

export const confirmPassword = ownerAction(
  Credentials.pick({ password: true }).extend({ next: path }),
  async ({ email }, { next, password }) => {
    await startSession(await signIn({ email, password, address: await clientAddress() }), "password");
    redirect(localPath(next));
  },
);
export const askMyPasskey = ownerAction(z.object({}), async (owner) => askForPasskey(await clientAddress(), owner));
export const confirmPasskey = ownerAction(PasskeyAnswer.extend({ back: path }), async (owner, { back, response }) => {
  await startSession(await signInWithPasskey(response, owner), "passkey");
  redirect(localPath(back));
});
