import { notFound } from "next/navigation";
import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { CarriedEmail } from "@/components/owners/carried-email";
import { EmailField } from "@/components/owners/credential-fields";
import { TextLink } from "@/components/ui/styled-links";
import { env } from "@/lib/config/env";

export const metadata = { title: "Sign in by email" };

export default function AskForLink() {
  if (!env().mail) notFound();
  return (
    <SignedOutLayout
      title="Sign in by email"
      lead="We’ll email you a sign-in link. The link works once. It expires after 15 minutes."
    >
      {/* The message does not reveal whether the account exists. */}
      <ActionForm
        act="link.send"
        submit="Send me a link"
        done="If this is the confirmed email of an account, we’ve sent a link."
      >
        <EmailField />
        <CarriedEmail />
      </ActionForm>
      <p>
        <TextLink href="/sign-in">Back to sign-in</TextLink>
      </p>
    </SignedOutLayout>
  );
}
