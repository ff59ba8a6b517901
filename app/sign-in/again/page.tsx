import { redirect } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { PasswordField, WhosePassword } from "@/components/owners/fields";
import { PasskeyButton } from "@/components/owners/passkey-button";
import { ActionForm } from "@/components/ui/action-form";
import { Link } from "@/components/ui/link";
import { listPasskeys } from "@/lib/owners/passkeys";
import { localPath } from "@/lib/web/next-path";
import { requireOwner } from "@/lib/web/session";
import { askMyPasskey, confirmPasskey, confirmPassword } from "../actions";

export const metadata = { title: "Sign in again" };

export default async function SignInAgain({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const path = localPath((await searchParams).next);
  const owner = await requireOwner(path);
  if (owner.fresh) redirect(path);
  const passkeys = await listPasskeys(owner);
  return (
    <SignedOutLayout
      title="Confirm it’s you"
      lead="For your security, confirm it’s you before continuing. You’ll return to this page."
    >
      <p>
        Signed in as <span className="font-medium">{owner.email}</span>
      </p>
      <ActionForm action={confirmPassword} submit="Continue">
        <input type="hidden" name="next" value={path} />
        <WhosePassword email={owner.email} />
        <PasswordField />
      </ActionForm>
      {passkeys.length > 0 ? <PasskeyButton ask={askMyPasskey} action={confirmPasskey} back={path} /> : null}
      <p className="flex flex-wrap gap-x-5">
        <Link href={path} className="link inline-flex min-h-11 items-center">
          Go back
        </Link>
        <Link
          href={`/sign-in/recover?next=${encodeURIComponent(path)}`}
          className="link inline-flex min-h-11 items-center"
        >
          Lost your password?
        </Link>
      </p>
    </SignedOutLayout>
  );
}
