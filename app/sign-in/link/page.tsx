import Link from "next/link";
import { notFound } from "next/navigation";
import { Doorway } from "@/components/layout/doorway";
import { LinkForm } from "@/components/owners/link-form";
import { env } from "@/lib/env";
import { sendLink } from "./actions";

export const metadata = { title: "Sign in by e-mail" };

export default function AskForLink() {
  if (!env().mail) notFound();
  return (
    <Doorway title="Sign in by e-mail" lead="We send you a link that signs you in, once, within 15 minutes.">
      <LinkForm action={sendLink} />
      <p>
        <Link href="/sign-in" className="link">
          Back to sign-in
        </Link>
      </p>
    </Doorway>
  );
}
