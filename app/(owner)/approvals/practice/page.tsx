import { Page } from "@/components/layout/page";
import { Practice } from "@/components/practice/practice";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { countWaiting } from "@/lib/approvals/inbox";
import { requireOwner, settingsOf } from "@/lib/web/session";
import { FirstSteps } from "../first-steps";

export const metadata = { title: "Practice" };

/** The first minutes: made-up questions to try the keys on, and what to do next. Real questions never appear here. */
export default async function PracticePage() {
  const owner = await requireOwner();
  const [waiting, { firstStepsDone, singleKeys }] = await Promise.all([countWaiting(owner), settingsOf(owner)]);
  return (
    <Page
      title="Practice"
      lead="Try it with made-up questions. They stay in this browser: no app asks them, and no record keeps them."
      back={{ href: "/approvals", label: "Approvals" }}
    >
      {waiting > 0 ? (
        <div className="mb-4">
          <Notice>
            {waiting === 1 ? "A real question waits" : `${waiting > 99 ? "99+" : waiting} real questions wait`} in{" "}
            <TextLink href="/approvals">your inbox</TextLink>.
          </Notice>
        </div>
      ) : null}
      {firstStepsDone ? null : <FirstSteps owner={owner} singleKeys={singleKeys} />}
      <Practice />
    </Page>
  );
}
