import Link from "next/link";
import { redirect } from "next/navigation";
import { Doorway } from "@/components/layout/doorway";
import { NewPasswordForm } from "@/components/owners/new-password-form";
import { localPath } from "@/lib/web/next-path";
import { requireOwner } from "@/lib/web/session";
import { chooseNewPassword } from "./actions";

export const metadata = { title: "Choose a new password" };

/** For an owner who came in by another way than the password, a moment ago. */
export default async function NewPassword({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const path = localPath(typeof next === "string" ? next : "");
  const owner = await requireOwner();
  if (!owner.fresh || owner.method === "password") redirect("/settings");
  return (
    <Doorway
      title="Choose a new password"
      lead="You are signed in. A new password replaces the one you lost, ends your sessions on other devices and turns alerts off: turn them on again in Settings, in each browser that should show them."
    >
      <NewPasswordForm action={chooseNewPassword} email={owner.email} back={path} />
      <p>
        <Link href={path} className="link">
          Not now
        </Link>
      </p>
    </Doorway>
  );
}
