import Link from "next/link";
import { redirect } from "next/navigation";
import { Doorway } from "@/components/layout/doorway";
import { PasskeyButton } from "@/components/owners/passkey-button";
import { SignInForm } from "@/components/owners/sign-in-form";
import { env } from "@/lib/env";
import { anyOwner } from "@/lib/owners/owners";
import { localPath } from "@/lib/web/next-path";
import { currentOwner } from "@/lib/web/session";
import { askPasskey, enter, enterWithPasskey } from "./actions";

export const metadata = { title: "Sign in" };

export default async function SignIn({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const path = localPath(typeof next === "string" ? next : "");
  if (await currentOwner()) redirect(path);
  if (!(await anyOwner())) redirect("/");
  return (
    <Doorway title="Sign in" lead="Your apps ask here. You answer.">
      <SignInForm action={enter} next={path} />
      <PasskeyButton ask={askPasskey} action={enterWithPasskey} back={path} />
      <p className="flex flex-wrap gap-x-5">
        <Link
          href={`/sign-in/recover?next=${encodeURIComponent(path)}`}
          className="link inline-flex min-h-11 items-center sm:min-h-8"
        >
          Lost your password?
        </Link>
        {env().mail ? (
          <Link href="/sign-in/link" className="link inline-flex min-h-11 items-center sm:min-h-8">
            E-mail me a link
          </Link>
        ) : null}
        <a href="/docs" className="link inline-flex min-h-11 items-center sm:min-h-8">
          API documentation
        </a>
      </p>
      {env().signups === "open" ? (
        <p className="text-muted">
          New here?{" "}
          <Link href="/sign-up" className="link">
            Create an account
          </Link>
        </p>
      ) : null}
    </Doorway>
  );
}
