import { hostOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Clamp } from "@/components/ui/clamp-text";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { Outcome } from "@/lib/approvals/thread/schema";
import { plural } from "@/lib/text/plural";

export const outcomeWords = { started: "Started", done: "Done", failed: "Failed" } as const;

/** The outcomes of an answer, as the app reported them, with the app's name. */
export function OutcomeReports({ approval }: { approval: InboxApproval }) {
  const { app, outcomes } = approval;
  const last = outcomes.at(-1);
  if (!last) return null;
  const earlier = outcomes.slice(0, -1);
  return (
    <section aria-label="Outcome" className="min-h-0 overflow-y-auto px-4 text-muted">
      <Report outcome={last} name={app.name} />
      {earlier.length > 0 ? (
        <details>
          <summary className="inline-flex min-h-10 items-center text-xs">
            {plural(earlier.length, { one: "# earlier report", other: "# earlier reports" })}
          </summary>
          <ol className="grid grid-cols-1 gap-2">
            {earlier.map((outcome) => (
              <li key={`${outcome.reportedAt} ${outcome.status} ${outcome.text}`}>
                <Report outcome={outcome} name={app.name} />
              </li>
            ))}
          </ol>
        </details>
      ) : null}
    </section>
  );
}

type ReportProps = { outcome: Outcome; name: string };

/**
 * One report, such as "Done · Deployed build 418", followed by the app, the time and the link's
 * host.
 */
const Report = ({ outcome: { status, text, link, reportedAt }, name }: ReportProps) => (
  <>
    <Clamp what="The report" className="max-h-42">
      <p dir="auto" className="whitespace-pre-line">
        <span className={`font-medium ${status === "failed" ? "text-danger" : "text-ink"}`}>
          {outcomeWords[status]}
        </span>
        {text ? (
          <>
            {" · "}
            <bdi>{text}</bdi>
          </>
        ) : null}
      </p>
    </Clamp>
    <p className="text-xs">
      <bdi>{name}</bdi>, <ExactTime at={reportedAt} />
      {link ? (
        <>
          {" · "}
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="link inline-flex min-h-10 items-center"
          >
            <bdi>{hostOf(link)}</bdi>&nbsp;↗<span className="sr-only"> (new tab)</span>
          </a>
        </>
      ) : null}
    </p>
  </>
);
