import { notFound } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { EmailField } from "@/components/owners/fields";
import { ActionForm } from "@/components/ui/action-form";
import { TextLink } from "@/components/ui/links";
import { env } from "@/lib/config/env";
import { sendLink } from "../actions";

export const metadata = { title: "Sign in by e-mail" };

export default function AskForLink() {
  if (!env().mail) notFound();
  return (
    <SignedOutLayout title="Sign in by e-mail" lead="We send you a link that signs you in, once, within 15 minutes.">
      {/* The answer is the same whether or not anybody has that address. */}
      <ActionForm
        action={sendLink}
        submit="Send me a link"
        done="If an account here has confirmed that e-mail, a link is on its way to it."
      >
        <EmailField />
      </ActionForm>
      <p>
        <TextLink href="/sign-in">Back to sign-in</TextLink>
      </p>
    </SignedOutLayout>
  );
}
