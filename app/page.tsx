import { redirect } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { Notice } from "@/components/ui/notice";
import { anyOwner } from "@/lib/owners/owners";
import { currentOwner } from "@/lib/web/session";

export default async function Start() {
  if (await currentOwner()) redirect("/approvals");
  if (await anyOwner()) redirect("/sign-in");
  return (
    <SignedOutLayout title="No account here yet" lead="This service is running and waiting for its first owner.">
      <Notice title="Open the set-up link">
        It was printed at the end of the service's output when it started, and works until the first account exists. The
        operator can find it there.
      </Notice>
    </SignedOutLayout>
  );
}
