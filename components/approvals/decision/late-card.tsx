import { addressOf, type DisplayResolution, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/styled-links";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { momentInWords } from "@/components/ui/time/time-text";
import { Panel } from "./app-content";
import { lostRaceMessage } from "./lost-race-message";

type LateCardProps = {
  approval: InboxApproval;
  decided: DisplayResolution;
  sent: boolean;
  /** The next question, if any. */
  next: InboxApproval | undefined;
  onNext: () => void;
};

/**
 * Replaces the options when another answer was recorded: by the app, by default, or by the owner
 * elsewhere. The card stays until the owner continues.
 */
export function LateCard({ approval, decided, sent, next, onNext }: LateCardProps) {
  const formats = useFormats();
  return (
    <Panel of={approval} label="Answer" look="bg-warn-soft">
      <p className="font-semibold" dir="auto">
        {lostRaceMessage(approval, decided, sent, momentInWords(decided.resolvedAt, formats))}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="primary" onClick={onNext}>
          {next && !sent ? "Next" : "OK"}
        </Button>
        <ButtonLink href={`${addressOf(approval._id)}?status=resolved`}>See details</ButtonLink>
      </div>
    </Panel>
  );
}
