import { redirect } from "next/navigation";
import { Doorway } from "@/components/layout/doorway";
import { Notice } from "@/components/ui/notice";
import { anyOwner } from "@/lib/owners/owners";
import { currentOwner } from "@/lib/web/session";

export default async function Start() {
  if (await currentOwner()) redirect("/approvals");
  if (await anyOwner()) redirect("/sign-in");
  return (
    <Doorway title="Nobody lives here yet" lead="This service is running and waits for its first owner.">
      <Notice title="Open the set-up link">
        It was printed when the service started, at the end of its output, and works until the first account exists.
        Whoever runs the service can read it there.
      </Notice>
    </Doorway>
  );
}
