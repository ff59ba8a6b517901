import { type InboxApproval, openQuestion } from "@/components/approvals/types";
import { Clamp } from "@/components/ui/clamp";
import { TimeAgo } from "@/components/ui/time/time-ago";

/** What the owner asked before deciding. It stands outside the app's frame: these are not the app's words. */
export function AskedBack({ approval }: { approval: InboxApproval }) {
  const { questions, app } = approval;
  if (questions.length === 0) return null;
  const open = openQuestion(approval);
  return (
    <section
      key={approval._id}
      aria-label="What you asked"
      className="rounded-xl border border-line bg-surface px-4 py-3 sm:px-5"
    >
      <ol className="grid grid-cols-1 gap-2.5">
        {questions.map((question) => (
          <li key={`${question.createdAt} ${question.text}`}>
            <p className="text-xs text-muted">
              You asked <TimeAgo at={question.createdAt} />
              {question === open ? (
                <>
                  {" · "}
                  <span className="font-semibold text-text">
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
    </section>
  );
}
