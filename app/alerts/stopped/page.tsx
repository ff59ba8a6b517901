import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { Button } from "@/components/ui/button";
import { isEmailOffLink } from "@/lib/alerts/email-unsubscribe";

export const metadata = { title: "Email alerts" };

type StoppedSearch = { owner?: string | string[]; key?: string | string[]; done?: string | string[] };

/**
 * The page to unsubscribe from emails about pending questions. It has one button and needs no
 * sign-in.
 */
export default async function Stopped({ searchParams }: { searchParams: Promise<StoppedSearch> }) {
  const { owner, key, done } = await searchParams;
  if (done !== undefined)
    return (
      <SignedOutLayout
        status={200}
        title="Email alerts stopped"
        lead="You can turn on email alerts again in Settings › Alerts."
      />
    );
  if (typeof owner !== "string" || typeof key !== "string" || !(await isEmailOffLink(owner, key)))
    return (
      <SignedOutLayout
        status={404}
        title="This link doesn’t work"
        lead="To stop email alerts, sign in and open Settings › Alerts."
      />
    );
  return (
    <SignedOutLayout title="Stop email alerts?" lead="We’ll stop emailing you about pending questions.">
      <form method="post" action={`/alerts/unsubscribe?${new URLSearchParams({ owner, key })}`}>
        <Button type="submit" variant="primary" size="wide">
          Stop email alerts
        </Button>
      </form>
    </SignedOutLayout>
  );
}
