import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/styled-links";
import { readConfirmation } from "@/lib/owners/email-confirmation";
import { currentOwner } from "@/lib/web/session";

// No referrer to other sites, because the URL contains the token. Our own server needs the
// referrer, to return here after an error (`pageOf` in lib/web/run-action.ts).
export const metadata = { title: "Confirm your email", referrer: "same-origin" as const };

type ConfirmSearch = { token?: string | string[]; done?: string | string[] };

/** Only the button consumes the link, because mail programs may open links before people do. */
export default async function ConfirmEmail({ searchParams }: { searchParams: Promise<ConfirmSearch> }) {
  const { token, done } = await searchParams;
  if (done !== undefined)
    return (
      <SignedOutLayout
        title="Email confirmed"
        lead="Use this address to sign in. We’ll also send email to this address."
      >
        <Onward />
      </SignedOutLayout>
    );
  const link = typeof token === "string" ? await readConfirmation(token) : null;
  if (!link)
    return (
      <SignedOutLayout
        title="This link doesn’t work"
        lead="The link was already used, has expired or is incomplete. To get a new link, go to Settings."
      >
        <Onward />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout
      title="Confirm your email"
      lead={
        <>
          Is <span className="font-medium break-all text-ink">{link.email}</span> your email address? Confirm only if
          you requested this link.
        </>
      }
    >
      <ActionForm act="email.confirm" fields={{ token: String(token) }} submit="Confirm this email" leaves />
    </SignedOutLayout>
  );
}

const Onward = async () => (
  <ButtonLink href="/settings" variant="primary" size="wide">
    {(await currentOwner()) ? "Go to Settings" : "Sign in"}
  </ButtonLink>
);
