import { answerLine, type InboxApproval } from "@/components/approvals/types";
import { Clamp } from "@/components/ui/clamp";
import type { Resolution } from "@/lib/approvals/schema";

/** What was answered, and the note that went with it. */
export function AnswerText({ approval, resolution }: { approval: InboxApproval; resolution: Resolution }) {
  return (
    <>
      <Clamp what="The answer" className="max-h-72">
        <p dir="auto" className="text-base font-semibold whitespace-pre-line">
          {answerLine(approval, resolution)}
        </p>
      </Clamp>
      {resolution.note ? (
        <Clamp what="The note" className="max-h-42">
          <p className="mt-2 text-muted">Note</p>
          <p dir="auto" className="whitespace-pre-line">
            {resolution.note}
          </p>
        </Clamp>
      ) : null}
    </>
  );
}
