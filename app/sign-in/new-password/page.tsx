import { redirect } from "next/navigation";
import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { NewPasswordField, WhosePassword } from "@/components/owners/credential-fields";
import { TextLink } from "@/components/ui/styled-links";
import { mayReset } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/safe-redirect-path";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Choose a new password" };

/** The page for an owner who has just signed in without the password, and may choose a new one. */
export default async function NewPassword({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const path = localPath((await searchParams).next);
  const owner = await requireOwner();
  if (!owner.fresh || !mayReset(owner.method)) redirect("/settings/security");
  return (
    <SignedOutLayout
      title="Choose a new password"
      lead="Saving a new password signs out your other devices and turns off alerts in all browsers. You can turn alerts on again in Settings."
    >
      <ActionForm act="password.reset" fields={{ back: path }} submit="Save the new password" leaves>
        <WhosePassword email={owner.email} />
        <NewPasswordField />
      </ActionForm>
      <p>
        <TextLink href={path}>Not now</TextLink>
      </p>
    </SignedOutLayout>
  );
}
