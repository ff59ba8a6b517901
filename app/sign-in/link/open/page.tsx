import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/styled-links";
import { readSignInLink } from "@/lib/owners/sign-in-links";

// No referrer to other sites, because the URL contains the token.
export const metadata = { title: "Sign in", referrer: "same-origin" as const };

/** Only the button consumes the link, because mail programs may open links before people do. */
export default async function OpenLink({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  const link = typeof token === "string" ? await readSignInLink(token) : null;
  if (!link) {
    return (
      <SignedOutLayout title="This link doesn’t work" lead="The link was already used, has expired or is incomplete.">
        <ButtonLink href="/sign-in" variant="primary" size="wide">
          Sign in another way
        </ButtonLink>
      </SignedOutLayout>
    );
  }
  const resets = link.kind === "reset_link";
  return (
    <SignedOutLayout
      title={resets ? "Reset your password" : "Sign in"}
      lead={
        <>
          Continue as <span className="font-medium text-ink">{link.email}</span>. This link works only once.
          {resets ? " Next, choose a new password." : null}
        </>
      }
    >
      <ActionForm act="link.open" fields={{ token: String(token) }} submit={resets ? "Continue" : "Sign in"} leaves />
    </SignedOutLayout>
  );
}
