import { orNotFound, undefinedOn } from "@/app/or-not-found";
import { ShownValues } from "@/components/approvals/answer/values/shown-values";
import { Facts } from "@/components/approvals/decision/facts";
import { addressOf, answerLine, receiptOf, shortHash } from "@/components/approvals/inbox-approval";
import { Page } from "@/components/layout/page";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DescriptionList } from "@/components/ui/description-list";
import { TextLink } from "@/components/ui/styled-links";
import { type OwnerReceipt, readReceipt } from "@/lib/receipts/receipts";
import { clockIn, dateText } from "@/lib/text/dates";
import { wallClock } from "@/lib/text/local-time";
import { readFormats } from "@/lib/web/reader-date-formats";
import { requireOwner, settingsOf } from "@/lib/web/session";

export const metadata = { title: "Receipt" };

/** Explains in plain words what an answer's receipt proves, and links to the download. */
export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const owner = await requireOwner();
  const { id } = await params;
  const back = { href: addressOf(id), label: "Question" };
  const found = await undefinedOn(409, orNotFound(readReceipt(owner, id)));
  if (!found)
    return (
      <Page title="Receipt" back={back}>
        <p>
          This question doesn’t have a final answer yet. The receipt appears here after the time to undo an answer ends.
        </p>
      </Page>
    );
  const { timeZone } = await settingsOf(owner);
  const { resolvedAt } = found.claims.resolution;
  const { app } = found.approval;
  const clock = clockIn(resolvedAt, { timeZone, formats: await readFormats() }, true);
  return (
    <Page title="Receipt" back={back} lead="A signed record of one answer.">
      <div className="grid max-w-2xl gap-5">
        <Card>
          <Contents of={found} time={`${dateText(wallClock(resolvedAt, timeZone), 0)}, ${clock}`} />
        </Card>
        <Card title="Check the receipt">
          <div className="grid gap-3">
            <p>
              Anyone who has the receipt can check it, even without an account. The receipt contains the answer and a
              fingerprint (hash) of the question, but not the question’s text.
            </p>
            <p>
              {app.revoked || app.own ? null : (
                <>
                  <bdi>{app.name}</bdi> can get the same receipt.{" "}
                </>
              )}
              See <TextLink href="/docs/receipts#receipts">How to check a receipt</TextLink>.
            </p>
            <a href={`${receiptOf(id)}/download`} download className={`${buttonClass()} justify-self-start`}>
              Download receipt
            </a>
          </div>
        </Card>
      </div>
    </Page>
  );
}

/** Lists what the receipt proves: the question, the answer, who gave it and when, and the hash. */
function Contents({ of: { approval, claims }, time }: { of: OwnerReceipt; time: string }) {
  const { app, question, facts } = approval;
  const { resolution } = claims;
  return (
    <DescriptionList
      of={{
        Question: (
          <div className="grid gap-2">
            <p dir="auto" className="wrap-anywhere whitespace-pre-line font-medium">
              {question}
            </p>
            <Facts facts={facts} />
          </div>
        ),
        "Asked by": <bdi>{app.name}</bdi>,
        Answer: (
          <>
            <p dir="auto" className="wrap-anywhere whitespace-pre-line font-medium">
              {answerLine(approval, resolution)}
            </p>
            <ShownValues approval={approval} values={resolution.values} />
          </>
        ),
        Note: resolution.note ? (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {resolution.note}
          </p>
        ) : undefined,
        "Answered by": claims.simulated ? (
          "A test rule that the operator set"
        ) : resolution.resolvedBy === "owner" ? (
          "You"
        ) : approval.byDefault ? (
          "Countersign, at the deadline"
        ) : (
          <>
            <bdi>{app.name}</bdi>, not you
          </>
        ),
        "Signed with": resolution.signature ? (
          <>
            Your passkey, which{" "}
            {resolution.signature.synced ? "can sync between your devices" : "is stored on one device"}
          </>
        ) : undefined,
        Time: time,
        Hash: (
          <details>
            <summary className="min-h-6 cursor-pointer">
              <span className="mono">{shortHash(claims.contentHash)}</span>
              <span className="text-muted">, identifies exactly this question</span>
            </summary>
            <p className="mono mt-1 break-all text-muted select-all">{claims.contentHash}</p>
          </details>
        ),
      }}
    />
  );
}
