import { type InboxApproval, openQuestion } from "@/components/approvals/inbox-approval";
import { Clamp } from "@/components/ui/clamp-text";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { Panel } from "./app-content";

/**
 * The owner's questions to the app. They are outside the app's frame, because the owner wrote them.
 */
export function OwnerQuestionsToApp({ approval }: { approval: InboxApproval }) {
  const { questions, app } = approval;
  if (questions.length === 0) return null;
  const open = openQuestion(approval);
  return (
    <Panel of={approval} label="Your questions to the app" look="bg-pane">
      <ol className="grid grid-cols-1 gap-2.5">
        {questions.map((question) => (
          <li key={`${question.createdAt} ${question.text}`}>
            <p className="text-xs text-muted">
              You asked <TimeAgo at={question.createdAt} />
              {question === open ? (
                <>
                  {" · "}
                  <span className="font-semibold text-ink">
                    waiting for <bdi>{app.name}</bdi>
                  </span>
                </>
              ) : null}
            </p>
            <Clamp what="Your question" className="max-h-42">
              <p dir="auto" className="whitespace-pre-line">
                {question.text}
              </p>
            </Clamp>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
