import { notFound } from "next/navigation";
import { orNotFound } from "@/app/or-not-found";
import { UnexpectedForm } from "@/components/approvals/decision/report-unexpected-question";
import { addressOf, defaultOption } from "@/components/approvals/inbox-approval";
import { Page } from "@/components/layout/page";
import { readApproval } from "@/lib/approvals/inbox-queries";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Unexpected question" };

/** The form to report an unexpected question, as a page for browsers without scripts. */
export default async function Unexpected({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const owner = await requireOwner();
  const { id } = await searchParams;
  if (typeof id !== "string") notFound();
  const approval = await orNotFound(readApproval(owner, id, { timeZone: "UTC" }));
  const { app, clientId, question } = approval;
  return (
    <Page
      title="Didn’t expect this question?"
      back={{ href: addressOf(id), label: "Question" }}
      lead={<bdi>{question}</bdi>}
    >
      <UnexpectedForm id={id} app={{ ...app, clientId }} byDefault={defaultOption(approval)?.label} />
    </Page>
  );
}
