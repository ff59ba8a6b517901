import { lostRaceMessage } from "@/components/approvals/decision/lost-race-message";
import { type AnswerState, type InboxApproval, wrongNumber } from "@/components/approvals/inbox-approval";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { momentInWords } from "@/components/ui/time/time-text";

type TroublesProps = {
  answers: ReadonlyMap<string, AnswerState>;
  /** The open question, which shows its own error. */
  current: InboxApproval | undefined;
  onOpen: (approval: InboxApproval) => void;
  onSeen: (approval: InboxApproval) => void;
};

/**
 * Failed or superseded answers to questions other than the open one, each with its reason and a
 * button.
 */
export function FailedAnswers({ answers, current, onOpen, onSeen }: TroublesProps) {
  const formats = useFormats();
  return [...answers.values()].map((answer) => {
    const isTrouble =
      (answer.phase === "failed" && answer.message !== wrongNumber) || (answer.phase === "beaten" && !answer.read);
    if (!isTrouble || answer.item._id === current?._id) return null;
    const failed = answer.phase === "failed";
    return (
      <div key={answer.item._id} ref={shouldKeepFocus} className="px-4 pb-3">
        <Notice tone={failed ? "danger" : "warn"}>
          <p className="mb-1 line-clamp-2 font-semibold">
            <bdi>{answer.item.question}</bdi>
          </p>
          <p>
            {failed
              ? `Couldn’t send your answer. ${answer.message}`
              : lostRaceMessage(
                  answer.item,
                  answer.outcome,
                  answer.sent,
                  momentInWords(answer.outcome.resolvedAt, formats),
                )}
          </p>
          <Button size="small" className="mt-2" onClick={() => (failed ? onOpen : onSeen)(answer.item)}>
            {failed ? "Open the question" : "OK"}
          </Button>
        </Notice>
      </div>
    );
  });
}
