import { redirect } from "next/navigation";
import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { CarriedEmail } from "@/components/owners/carried-email";
import { EmailField, PasswordField } from "@/components/owners/credential-fields";
import { PasskeyButton } from "@/components/owners/passkey-sign-in";
import { Notice } from "@/components/ui/notice";
import { LinkLine, TextLink } from "@/components/ui/styled-links";
import { env } from "@/lib/config/env";
import { anyOwner } from "@/lib/owners/find-accounts";
import { localPath } from "@/lib/web/safe-redirect-path";
import { currentOwner } from "@/lib/web/session";

export const metadata = { title: "Sign in" };

type SignInSearch = { next?: string | string[]; unsent?: string | string[] };

/**
 * Messages for visitors who were redirected here, by reason: an answer wasn't sent ("choice", or
 * "words" if its typed text was saved), or an email's link no longer works ("link").
 */
const unsentWords = new Map<unknown, string>([
  ["choice", "Your answer wasn’t sent. Sign in and answer again."],
  ["words", "Your answer wasn’t sent. Sign in and send your answer again. Your text is saved."],
  ["link", "This link no longer opens the question. Sign in to see the question."],
]);

export default async function SignIn({ searchParams }: { searchParams: Promise<SignInSearch> }) {
  const { next, unsent } = await searchParams;
  const path = localPath(next);
  const lost = unsentWords.get(unsent);
  if (await currentOwner()) redirect(path);
  if (!(await anyOwner())) redirect("/");
  return (
    <SignedOutLayout title="Sign in" lead="Sign in to answer your apps’ questions.">
      {lost ? <Notice tone="warn">{lost}</Notice> : null}
      <ActionForm act="session.start" fields={{ next: path }} submit="Sign in" leaves>
        <EmailField />
        <CarriedEmail />
        <PasswordField />
      </ActionForm>
      <PasskeyButton back={path} />
      <p className="flex flex-wrap gap-x-5">
        <LinkLine href={`/sign-in/recover?next=${encodeURIComponent(path)}`}>Lost your password?</LinkLine>
        {env().mail ? <LinkLine href="/sign-in/link">Email me a sign-in link</LinkLine> : null}
      </p>
      {env().signups === "open" ? (
        <p className="text-muted">
          No account yet? <TextLink href="/sign-up">Create an account</TextLink>
        </p>
      ) : null}
    </SignedOutLayout>
  );
}
