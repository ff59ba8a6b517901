import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/styled-links";
import { isEmailFreezeLink } from "@/lib/alerts/email-freeze";

export const metadata = { title: "Freeze all apps" };

type FrozenSearch = { owner?: string | string[]; key?: string | string[]; done?: string | string[] };

/** The page that freezes all apps from an email. It has one button and needs no sign-in. */
export default async function FreezeFromEmail({ searchParams }: { searchParams: Promise<FrozenSearch> }) {
  const { owner, key, done } = await searchParams;
  if (done !== undefined)
    return (
      <SignedOutLayout status={200} title="All apps are frozen" lead="To unfreeze them, sign in.">
        <ButtonLink href="/frozen">Review and unfreeze</ButtonLink>
      </SignedOutLayout>
    );
  if (typeof owner !== "string" || typeof key !== "string" || !(await isEmailFreezeLink(owner, key)))
    return (
      <SignedOutLayout
        status={404}
        title="This link doesn’t work"
        lead="To freeze your apps, sign in. The control is on every page."
      />
    );
  return (
    <SignedOutLayout
      title="Freeze all apps"
      lead="Every request of your apps is rejected until you sign in and unfreeze them."
    >
      <form method="post" action={`/alerts/freeze?${new URLSearchParams({ owner, key })}`}>
        <Button type="submit" variant="primary" size="wide">
          Freeze all apps
        </Button>
      </form>
    </SignedOutLayout>
  );
}
