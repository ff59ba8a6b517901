import { notFound, redirect } from "next/navigation";
import { toInboxApproval } from "@/app/(owner)/approvals/to-inbox-approval";
import { undefinedOn } from "@/app/or-not-found";
import { addressOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Wordmark } from "@/components/layout/wordmark";
import { Notice } from "@/components/ui/notice";
import { LinkLine } from "@/components/ui/styled-links";
import { answerSignInPath, openAnswerLink } from "@/lib/alerts/answer-link";
import { clock } from "@/lib/clock";
import { isId } from "@/lib/ids";
import { clockIn, momentIn } from "@/lib/text/dates";
import { visitor } from "@/lib/web/known-browser-cookie";
import { readFormats } from "@/lib/web/reader-date-formats";
import { AnswerResultView } from "./answer-result";
import { MailedQuestion } from "./mailed-question";
import { Options } from "./option-buttons";

// Sends no referrer, because the URL contains the token.
export const metadata = { title: "Answer from email", referrer: "no-referrer" as const };

type AnswerLinkProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ token?: string | string[]; outcome?: string | string[] }>;
};

/**
 * The page that a link in an email opens: one question with its options as plain forms. Opening the
 * page changes nothing. The page has no scripts, so the server formats times in the owner's time
 * zone.
 */
export default async function AnswerFromEmail({ params, searchParams }: AnswerLinkProps) {
  const { id } = await params;
  const { token, outcome } = await searchParams;
  if (!isId("apr", id)) notFound();
  const { address } = await visitor();
  const opened = typeof token === "string" && (await undefinedOn(429, openAnswerLink(id, token, address)));
  if (!opened) redirect(answerSignInPath(id, "link"));
  const { timeZone, until, used, heldUntil } = opened;
  const [approval] = toInboxApproval([opened.approval], id) as [InboxApproval];
  const formats = await readFormats();
  const when = (at: number) => momentIn(at, { now: clock.now(), timeZone, formats });
  const open = !used && canBeAnswered(approval);
  const form = { action: `/alerts/answer/${id}/decide`, token };
  return (
    <main className="mx-auto grid max-w-[40.5rem] grid-cols-1 gap-6 px-6 py-6">
      <Wordmark />
      <OutcomeNotice outcome={outcome} open={open} changed={approval.triage.changed === true} />
      {open ? null : (
        // The result comes first, because the time to undo the answer is short.
        <AnswerResultView
          {...{ approval, used, form, when }}
          sent={used || outcome === "late" || outcome === "revoked"}
          counts={heldUntil === undefined ? undefined : clockIn(heldUntil, { timeZone, formats }, true)}
        />
      )}
      <MailedQuestion approval={approval} open={open} when={when} />
      {open ? <Options approval={approval} {...form} /> : null}
      <div className="text-xs text-muted">
        <p>
          This link works only for this question and doesn’t sign you in. The link expires at{" "}
          {clockIn(until, { timeZone, formats })}.
        </p>
        <p className="flex flex-wrap gap-x-5">
          <LinkLine href={addressOf(id)}>
            {open ? "Sign in to answer in your own words" : "Sign in to see the question"}
          </LinkLine>
          {open ? <LinkLine href={`/approvals/unexpected?id=${id}`}>I didn’t expect this question</LinkLine> : null}
        </p>
      </div>
    </main>
  );
}

const canBeAnswered = ({ triage, resolution, deadlinePassed, app }: InboxApproval) =>
  !triage.held && !resolution && !deadlinePassed && !app.revoked;

type OutcomeProps = { outcome: string | string[] | undefined; open: boolean; changed: boolean };

/** The result of sending or undoing an answer. */
const OutcomeNotice = ({ outcome, open, changed }: OutcomeProps) => (
  <>
    {outcome === "undone" && open ? <Notice tone="ok">Your answer was undone.</Notice> : null}
    {outcome === "sent" ? <Notice tone="warn">Couldn’t undo. Your answer was already sent.</Notice> : null}
    {open && (outcome === "changed" || changed) ? (
      <Notice tone="warn" title="Your answer wasn’t sent">
        The question changed before you answered. Review it, then answer again.
      </Notice>
    ) : null}
  </>
);
