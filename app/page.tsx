import { redirect } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { Notice } from "@/components/ui/notice";
import { anyOwner } from "@/lib/owners/find-accounts";
import { currentOwner } from "@/lib/web/session";

export default async function Start() {
  if (await currentOwner()) redirect("/approvals");
  if (await anyOwner()) redirect("/sign-in");
  return (
    <SignedOutLayout title="No account yet" lead="This service is running but doesn’t have an owner yet.">
      <Notice title="Open the setup link">
        The service prints the setup link at the end of its startup output. The link works until the first account is
        created.
      </Notice>
    </SignedOutLayout>
  );
}
