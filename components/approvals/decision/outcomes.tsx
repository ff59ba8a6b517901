import { hostOf, type InboxApproval } from "@/components/approvals/types";
import { Badge } from "@/components/ui/badge";
import { Clamp } from "@/components/ui/clamp";
import { ExactTime, TimeAgo } from "@/components/ui/time/time-ago";
import type { Outcome } from "@/lib/approvals/thread/schema";
import { plural } from "@/lib/text/plural";
import { Panel } from "./app-content";

const looks = {
  started: { tone: "neutral", word: "Started" },
  done: { tone: "neutral", word: "Done" },
  failed: { tone: "danger", word: "Failed" },
} as const;

/** The outcome of an answer: the app's report, in a frame that names the app. */
export function Outcomes({ approval }: { approval: InboxApproval }) {
  const { app, outcomes } = approval;
  const last = outcomes.at(-1);
  if (!last) return null;
  const earlier = outcomes.slice(0, -1);
  return (
    <Panel
      of={approval}
      label="Outcome"
      look={`bg-raised ${last.status === "failed" ? "border-danger" : "border-line"}`}
    >
      <p className="mb-2 text-muted">
        <bdi className="font-semibold text-ink">{app.name}</bdi> reported <TimeAgo at={last.reportedAt} />
      </p>
      <Report outcome={last} />
      {earlier.length > 0 ? (
        <details className="mt-3 border-t border-line pt-2">
          <summary className="inline-flex min-h-8 cursor-default items-center text-muted">
            {plural(earlier.length, { one: "# earlier report", other: "# earlier reports" })}
          </summary>
          <ol className="mt-1 grid grid-cols-1 gap-3">
            {earlier.map((outcome) => (
              <li key={`${outcome.reportedAt} ${outcome.status} ${outcome.text}`}>
                <p className="mb-1 text-xs text-muted">
                  <ExactTime at={outcome.reportedAt} />
                </p>
                <Report outcome={outcome} />
              </li>
            ))}
          </ol>
        </details>
      ) : null}
    </Panel>
  );
}

function Report({ outcome: { status, text, link } }: { outcome: Outcome }) {
  const { tone, word } = looks[status];
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p>
        <Badge tone={tone}>{word}</Badge>
      </p>
      {text ? (
        <Clamp what="The report" className="max-h-42">
          <p dir="auto" className="whitespace-pre-line">
            {text}
          </p>
        </Clamp>
      ) : null}
      {link ? (
        <p>
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="link inline-flex min-h-8 items-center"
          >
            View on&nbsp;<bdi>{hostOf(link)}</bdi>&nbsp;(new tab)
          </a>
        </p>
      ) : null}
    </div>
  );
}

/** The latest report in one line: "Outcome: Done · Deployed build 418 (ci.example)". */
export function LatestOutcome({ approval }: { approval: InboxApproval }) {
  const last = approval.outcomes.at(-1);
  if (!last) return null;
  return (
    <span className="flex">
      <span className="shrink-0 whitespace-pre text-muted">Outcome: </span>
      <span className={`shrink-0 font-medium ${last.status === "failed" ? "text-danger" : ""}`}>
        {looks[last.status].word}
      </span>
      {last.text || last.link ? (
        <span className="ms-1 truncate text-muted">
          {last.text ? (
            <>
              {" · "}
              <bdi>{last.text}</bdi>
            </>
          ) : null}
          {last.link ? (
            <>
              {" "}
              (<bdi>{hostOf(last.link)}</bdi>)
            </>
          ) : null}
        </span>
      ) : null}
    </span>
  );
}
