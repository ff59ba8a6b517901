"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { reauthenticateWithPassword, resetPassword, signIn } from "@/lib/owners/owners";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys";
import { signInWithRecoveryCode } from "@/lib/owners/recovery";
import { Credentials, LinkRequest, PasskeyAnswer, PasswordReset, Recovery } from "@/lib/owners/schema";
import { requestSignInLink, signInWithLink } from "@/lib/owners/sign-in-links";
import { localPath } from "@/lib/web/next-path";
import { requireOwner, startSession } from "@/lib/web/session";
import { visitorAction } from "@/lib/web/visitor-action";

/** The local path to open afterwards. */
const path = z.string().default("");
const PasskeyForm = PasskeyAnswer.extend({ back: path });
const ResetForm = PasswordReset.extend({ back: path });
const PasswordForm = Credentials.pick({ password: true }).extend({ next: path });

export const signInWithPassword = visitorAction(
  Credentials.extend({ next: path }),
  async (visitor, { next, ...credentials }) => {
    await startSession(await signIn({ ...credentials, ...visitor }), "password");
    redirect(localPath(next));
  },
);
export const askPasskey = visitorAction(z.object({}), (visitor) => askForPasskey(visitor));
export const enterWithPasskey = visitorAction(PasskeyForm, async (visitor, { back, response }) => {
  await startSession(await signInWithPasskey(response, visitor), "passkey");
  redirect(localPath(back));
});

export const confirmPassword = visitorAction(PasswordForm, async (visitor, { next, password }) => {
  await startSession(await reauthenticateWithPassword(await requireOwner(), { password, ...visitor }), "password");
  redirect(localPath(next));
});
export const askMyPasskey = visitorAction(z.object({}), async (visitor) =>
  askForPasskey(visitor, await requireOwner()),
);
export const confirmPasskey = visitorAction(PasskeyForm, async (visitor, { back, response }) => {
  await startSession(await signInWithPasskey(response, visitor, await requireOwner()), "passkey");
  redirect(localPath(back));
});

/** Doesn't wait for the email: the response time would reveal whether the account exists. */
export const sendLink = visitorAction(LinkRequest, async (visitor, request) => {
  await requestSignInLink(request, visitor);
});
export const openLink = visitorAction(z.object({ token: z.string().max(200) }), async (_visitor, { token }) => {
  const { kind, ...entrance } = await signInWithLink(token);
  await startSession(entrance, kind);
  redirect(kind === "reset_link" ? "/sign-in/new-password" : "/approvals");
});

export const chooseNewPassword = visitorAction(ResetForm, async (_visitor, { back, ...reset }) => {
  await startSession(await resetPassword(await requireOwner(), reset), "password");
  redirect(localPath(back));
});

/** Signs in with a recovery code, then leads to a new password. */
export const recover = visitorAction(Recovery.extend({ next: path }), async (visitor, { next, ...recovery }) => {
  await startSession(await signInWithRecoveryCode({ ...recovery, ...visitor }), "recovery_code");
  redirect(`/sign-in/new-password?next=${encodeURIComponent(localPath(next))}`);
});
