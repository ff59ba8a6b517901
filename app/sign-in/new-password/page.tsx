import { redirect } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { NewPasswordField, WhosePassword } from "@/components/owners/fields";
import { ActionForm } from "@/components/ui/action-form";
import { TextLink } from "@/components/ui/links";
import { mayReset } from "@/lib/owners/schema";
import { localPath } from "@/lib/web/next-path";
import { requireOwner } from "@/lib/web/session";
import { chooseNewPassword } from "../actions";

export const metadata = { title: "Choose a new password" };

/** For an owner who has just signed in without the password. */
export default async function NewPassword({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const path = localPath((await searchParams).next);
  const owner = await requireOwner();
  if (!owner.fresh || !mayReset(owner.method)) redirect("/settings");
  return (
    <SignedOutLayout
      title="Choose a new password"
      lead="You’re signed in. A new password replaces the old one, signs out your other devices and turns off alerts. You can turn alerts on again in Settings, in each browser."
    >
      <ActionForm action={chooseNewPassword} submit="Save the new password">
        <input type="hidden" name="back" value={path} />
        <WhosePassword email={owner.email} />
        <NewPasswordField />
      </ActionForm>
      <p>
        <TextLink href={path}>Not now</TextLink>
      </p>
    </SignedOutLayout>
  );
}
