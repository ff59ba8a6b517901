"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { signIn } from "@/lib/owners/owners";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys";
import { Credentials, PasskeyAnswer } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

/** The local path to go on to. */
const path = z.string().default("");

export const enter = visitorAction(Credentials.extend({ next: path }), async (visitor, { next, ...credentials }) => {
  await startSession(await signIn({ ...credentials, ...visitor }), "password");
  redirect(localPath(next));
});
export const askPasskey = visitorAction(z.object({}), (visitor) => askForPasskey(visitor));
export const enterWithPasskey = visitorAction(
  PasskeyAnswer.extend({ back: path }),
  async (visitor, { back, response }) => {
    await startSession(await signInWithPasskey(response, visitor), "passkey");
    redirect(localPath(back));
  },
);
