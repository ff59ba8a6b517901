import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { Button } from "@/components/ui/button";
import { isEmailOffLink } from "@/lib/alerts/email-unsubscribe";

export const metadata = { title: "Emails" };

type StoppedSearch = { owner?: string | string[]; key?: string | string[]; done?: string | string[] };

/**
 * The page that unsubscribes from emails about pending questions. It has one button and needs no
 * sign-in.
 */
export default async function Stopped({ searchParams }: { searchParams: Promise<StoppedSearch> }) {
  const { owner, key, done } = await searchParams;
  if (done !== undefined)
    return <SignedOutLayout title="Emails stopped" lead="You can turn emails on again in Settings › Alerts." />;
  if (typeof owner !== "string" || typeof key !== "string" || !(await isEmailOffLink(owner, key)))
    return (
      <SignedOutLayout
        title="This link doesn’t work"
        lead="Sign in and turn off emails in Settings › Alerts instead."
      />
    );
  return (
    <SignedOutLayout title="Stop these emails?" lead="You’ll no longer get emails about pending questions.">
      <form method="post" action={`/alerts/unsubscribe?${new URLSearchParams({ owner, key })}`}>
        <Button type="submit" variant="primary" size="wide">
          Stop the emails
        </Button>
      </form>
    </SignedOutLayout>
  );
}
