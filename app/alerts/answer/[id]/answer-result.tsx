import { lostRaceMessage } from "@/components/approvals/decision/lost-race-message";
import { TooLateToAnswer } from "@/components/approvals/decision/too-late-to-answer";
import { answerLine, heldAs, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Button } from "@/components/ui/button";
import { CheckIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import type { Resolution } from "@/lib/approvals/schema";
import { inSentence } from "@/lib/text/dates";
import type { LinkForm } from "./option-buttons";

type StandingProps = {
  approval: InboxApproval;
  /** Whether the answer came from this link. */
  used: boolean;
  /** Whether the reader has just tried to answer. */
  sent: boolean;
  /** When the link's answer becomes final, as text. Undefined once it can't be undone. */
  counts: string | undefined;
  form: LinkForm;
  when: (at: number) => string;
};

/** Shows the current state instead of the options, in the words of the decision's page. */
export function AnswerResultView({ approval, used, sent, counts, form, when }: StandingProps) {
  const { resolution, triage, app } = approval;
  const name = <bdi>{app.name}</bdi>;
  if (resolution && !(used && resolution.resolvedBy === "owner"))
    return (
      <Notice tone="warn">
        <p dir="auto">{lostRaceMessage(approval, resolution, sent, inSentence(when(resolution.resolvedAt)))}</p>
      </Notice>
    );
  const { held } = triage;
  const answer = resolution ?? (held && heldAs(held.answer, held.commitAt));
  if (answer && used)
    return (
      <Answered approval={approval} answer={answer}>
        {resolution ? (
          <p>{app.revoked ? "The question is closed." : <>{name} can now read your answer.</>}</p>
        ) : counts ? (
          <>
            <p>
              {name} receives your answer at {counts}. Until then, you can undo your answer.
            </p>
            <form method="post" action={form.action} className="mt-3">
              <input type="hidden" name="token" value={form.token} />
              <Button type="submit" name="undo" value="yes">
                Undo
              </Button>
            </form>
          </>
        ) : (
          <p>Sending to {name}…</p>
        )}
      </Answered>
    );
  if (answer)
    return (
      <Notice tone="warn">
        <p dir="auto">
          You already answered “{answerLine(approval, answer)}” elsewhere.{" "}
          {sent ? "The answer you just sent wasn’t used." : null}
        </p>
      </Notice>
    );
  if (approval.deadlinePassed) return <TooLateToAnswer approval={approval} />;
  if (app.revoked)
    return (
      <Notice tone="warn" {...(sent && { title: "Your answer wasn’t sent" })}>
        <p dir="auto">{name} is no longer connected, so this link no longer works. Sign in to answer.</p>
      </Notice>
    );
  return triage.changed ? (
    <Notice tone="warn" title="Your answer wasn’t sent">
      The question changed before your answer was sent. Sign in to review the question, then answer again.
    </Notice>
  ) : (
    <Notice>You undid the answer from this link. Sign in to answer again.</Notice>
  );
}

type AnsweredProps = { approval: InboxApproval; answer: Resolution; children: React.ReactNode };

const Answered = ({ approval, answer, children }: AnsweredProps) => (
  <section aria-label="Answer" className="flex gap-3 rounded-xl bg-yes-soft px-4 py-3.5 forced-colors:border">
    <CheckIcon className="mt-0.5 size-5 text-yes" />
    <div className="min-w-0">
      <p className="text-base font-semibold" dir="auto">
        Answered · {answerLine(approval, answer)}
      </p>
      <div className="text-muted">{children}</div>
    </div>
  </section>
);
