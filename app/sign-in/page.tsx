import Link from "next/link";
import { redirect } from "next/navigation";
import { Doorway } from "@/components/layout/doorway";
import { SignInForm } from "@/components/owners/sign-in-form";
import { env } from "@/lib/env";
import { anyOwner } from "@/lib/owners/owners";
import { localPath } from "@/lib/web/next-path";
import { currentOwner } from "@/lib/web/session";
import { enter } from "./actions";

export const metadata = { title: "Sign in" };

export default async function SignIn({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const path = localPath(typeof next === "string" ? next : "");
  if (await currentOwner()) redirect(path);
  if (!(await anyOwner())) redirect("/");
  return (
    <Doorway title="Sign in" lead="Your apps ask here. You answer.">
      <SignInForm action={enter} next={path} />
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
