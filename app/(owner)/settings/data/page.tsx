import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { OwnData } from "@/components/settings/data-export-and-deletion";
import { readArchive } from "@/lib/archive/archive";
import { readRetention } from "@/lib/events/retention-policy";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

export const metadata = { title: "Data · Settings" };

export default async function Data() {
  const owner = await requireOwner();
  const [keeping, archive, again] = await Promise.all([
    readRetention(),
    readArchive(owner),
    signInAgainPath("/settings/data"),
  ]);
  const stale = owner.fresh ? null : <SignInAgainNotice path={again} />;
  return <OwnData stale={stale} keeping={keeping} archive={archive} />;
}
