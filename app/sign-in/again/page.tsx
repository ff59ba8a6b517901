import { redirect } from "next/navigation";
import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { PasswordField, WhosePassword } from "@/components/owners/credential-fields";
import { PasskeyButton } from "@/components/owners/passkey-sign-in";
import { Link } from "@/components/ui/link";
import { listPasskeys } from "@/lib/owners/passkeys/passkeys";
import { localPath } from "@/lib/web/safe-redirect-path";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Sign in again" };

export default async function SignInAgain({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const path = localPath((await searchParams).next);
  const owner = await requireOwner(path);
  if (owner.fresh) redirect(path);
  const passkeys = await listPasskeys(owner);
  return (
    <SignedOutLayout
      title="Confirm it’s you"
      lead={passkeys.length > 0 ? "Enter your password or use a passkey." : "Enter your password to continue."}
    >
      <p>
        Signed in as <span className="font-medium">{owner.email}</span>
      </p>
      <ActionForm act="session.confirm" fields={{ next: path }} submit="Continue" leaves>
        <WhosePassword email={owner.email} />
        <PasswordField />
      </ActionForm>
      {passkeys.length > 0 ? <PasskeyButton confirms back={path} /> : null}
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
