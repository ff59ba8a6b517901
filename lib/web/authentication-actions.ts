import { z } from "zod";
import { askOnboardingQuestion } from "@/lib/approvals/service-questions/onboarding-question";
import { reportError } from "@/lib/error-reporting";
import { ownerAction, visitorAction } from "@/lib/form-action";
import { confirmEmail } from "@/lib/owners/email-confirmation";
import { setUp } from "@/lib/owners/first-account-setup";
import { reauthenticateWithPassword, resetPassword, signIn, signUp } from "@/lib/owners/owners";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys/passkey-sign-in";
import { signInWithRecoveryCode } from "@/lib/owners/recovery-codes";
import * as forms from "@/lib/owners/schema";
import { requestSignInLink, signInWithLink } from "@/lib/owners/sign-in-links";
import { localPath } from "./safe-redirect-path";

/*
 * Actions to sign in, to sign up and to confirm an identity. Once an identity is proven, the action
 * returns the new session as browser state.
 */

/** The page to open after signing in. */
const ThenOpens = z.object({ back: z.string().default("").transform(localPath) });
const Nothing = z.object({});
const Token = z.object({ token: z.string().max(200) });
const PasskeyForm = forms.PasskeyAnswer.extend(ThenOpens.shape);

const goBack = ({ back }: z.output<typeof ThenOpens>) => back;
const bySession = (session: forms.Entrance) => ({ session });
const byPasskey = (entrance: forms.Entrance) => ({ session: { ...entrance, method: "passkey" as const } });

export const signInWithPasswordAction = visitorAction({
  name: "session.start",
  input: forms.Credentials.extend({ next: ThenOpens.shape.back }),
  run: (_, { next: __, ...credentials }, visit) => signIn({ ...credentials, ...visit }),
  browserState: bySession,
  next: ({ next }) => next,
});

/** Returns the options for the browser's passkey dialog. */
export const askPasskeyAction = visitorAction({
  name: "session.ask-passkey",
  input: Nothing,
  run: (_, __, visit) => askForPasskey(visit),
});

export const signInWithPasskeyAction = visitorAction({
  name: "session.start-with-passkey",
  input: PasskeyForm,
  run: (_, { response }, visit) => signInWithPasskey(response, visit),
  browserState: byPasskey,
  next: goBack,
});

export const confirmWithPassword = ownerAction({
  name: "session.confirm",
  input: forms.Credentials.pick({ password: true }).extend({ next: ThenOpens.shape.back }),
  run: (owner, { password }, { address }) => reauthenticateWithPassword(owner, { password, address }),
  browserState: bySession,
  next: ({ next }) => next,
});

export const askOwnPasskey = ownerAction({
  name: "session.ask-own-passkey",
  input: Nothing,
  run: (owner, _, visit) => askForPasskey(visit, owner),
});

export const confirmWithPasskey = ownerAction({
  name: "session.confirm-with-passkey",
  input: PasskeyForm,
  run: (owner, { response }, visit) => signInWithPasskey(response, visit, owner),
  browserState: byPasskey,
  next: goBack,
});

/**
 * Does not wait until the email is sent, because the response time would reveal whether the account
 * exists.
 */
export const sendSignInLink = visitorAction({
  name: "link.send",
  input: forms.LinkRequest,
  run: async (_, request, visit) => {
    await requestSignInLink(request, visit);
  },
});

export const openSignInLink = visitorAction({
  name: "link.open",
  input: Token,
  run: (_, { token }) => signInWithLink(token),
  browserState: ({ kind, ...entrance }) => ({ session: { ...entrance, method: kind } }),
  next: (_, { kind }) => (kind === "reset_link" ? "/sign-in/new-password" : "/approvals"),
});

/** Signs in with a recovery code, and then opens the form for a new password. */
export const recover = visitorAction({
  name: "recovery.use-code",
  input: forms.Recovery.extend({ next: ThenOpens.shape.back }),
  run: (_, { next: __, ...recovery }, visit) => signInWithRecoveryCode({ ...recovery, ...visit }),
  browserState: (entrance) => ({ session: { ...entrance, method: "recovery_code" } }),
  next: ({ next }) => `/sign-in/new-password?next=${encodeURIComponent(next)}`,
});

export const chooseNewPassword = ownerAction({
  name: "password.reset",
  input: forms.PasswordReset.extend(ThenOpens.shape),
  run: (owner, { next }) => resetPassword(owner, { next }),
  browserState: bySession,
  next: goBack,
});

export const createAccount = visitorAction({
  name: "account.create",
  input: forms.NewOwner,
  run: async (_, owner, { address }) => withFirstQuestion(await signUp(owner, address)),
  browserState: ({ opens: _, ...session }) => ({ session }),
  next: (_, { opens }) => opens,
});

/** Creates the service's first account. The setup link's token authorizes this. */
export const createFirstAccount = visitorAction({
  name: "account.set-up",
  input: forms.NewOwner.extend({ token: z.string() }),
  run: async (_, { token, ...owner }) => withFirstQuestion(await setUp(token, owner)),
  browserState: ({ opens: _, ...session }) => ({ session }),
  next: (_, { opens }) => opens,
});

/** Anyone who has the link can confirm the email address, with or without a session. */
export const confirmEmailAction = visitorAction({
  name: "email.confirm",
  input: Token,
  run: (_, { token }) => confirmEmail(token),
  next: () => "/confirm-email?done=1",
});

/**
 * Opens the first question directly, because a phone would otherwise show a list with a single row.
 * If the question can't be created, the inbox shows the first steps instead.
 */
async function withFirstQuestion(entrance: forms.Entrance): Promise<forms.Entrance & { opens: string }> {
  const asked = await askOnboardingQuestion({ kind: "owner", ownerId: entrance.ownerId }).catch((error) => {
    reportError(error, "could not create the first question");
  });
  return { ...entrance, opens: asked ? `/approvals/${asked.id}` : "/approvals" };
}
