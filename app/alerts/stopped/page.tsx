import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { Button } from "@/components/ui/button";
import { isEmailOffLink } from "@/lib/alerts/email-off";

export const metadata = { title: "E-mails" };

type Search = { owner?: string | string[]; key?: string | string[]; done?: string | string[] };

/** Where the link in an e-mail about what waits leads: one button, and no need to sign in. */
export default async function Stopped({ searchParams }: { searchParams: Promise<Search> }) {
  const { owner, key, done } = await searchParams;
  if (done !== undefined)
    return (
      <SignedOutLayout title="No more e-mails" lead="You can turn them back on any time: see Alerts in Settings." />
    );
  if (typeof owner !== "string" || typeof key !== "string" || !(await isEmailOffLink(owner, key)))
    return <SignedOutLayout title="This link does not work" lead="Sign in and look at Alerts in Settings instead." />;
  return (
    <SignedOutLayout
      title="Stop these e-mails?"
      lead="You will no longer get e-mails about questions that have waited for a while."
    >
      <form method="post" action={`/alerts/unsubscribe?${new URLSearchParams({ owner, key })}`}>
        <Button type="submit" variant="primary" size="wide">
          Stop the e-mails
        </Button>
      </form>
    </SignedOutLayout>
  );
}
