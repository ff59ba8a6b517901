import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/links";
import { readConfirmation } from "@/lib/owners/email-confirmation";
import { currentOwner } from "@/lib/web/session";
import { confirm } from "./actions";

// The address carries the token, so no other site is told it. (With no-referrer the form would come with `Origin: null`, which
// Next refuses.)
export const metadata = { title: "Confirm your e-mail", referrer: "same-origin" as const };

type Search = { token?: string | string[]; done?: string | string[] };

/** Opening the page uses nothing up, since mail programs open links before people do; the button does. */
export default async function ConfirmEmail({ searchParams }: { searchParams: Promise<Search> }) {
  const { token, done } = await searchParams;
  if (done !== undefined)
    return (
      <SignedOutLayout title="E-mail confirmed" lead="You sign in with it, and your e-mails go there.">
        <Onward />
      </SignedOutLayout>
    );
  const link = typeof token === "string" ? await readConfirmation(token) : null;
  if (!link)
    return (
      <SignedOutLayout
        title="This link does not work"
        lead="It was already used, has expired, or is incomplete. You can send another one from Settings."
      >
        <Onward />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout
      title="Confirm your e-mail"
      lead={
        <>
          Is <span className="font-medium break-all text-text">{link.email}</span> your address? Confirm only if you
          asked for this.
        </>
      }
    >
      <ActionForm action={confirm} submit="Confirm this e-mail">
        <input type="hidden" name="token" value={token} />
      </ActionForm>
    </SignedOutLayout>
  );
}

const Onward = async () => (
  <ButtonLink href="/settings" variant="primary" size="wide">
    {(await currentOwner()) ? "Go to Settings" : "Sign in"}
  </ButtonLink>
);
