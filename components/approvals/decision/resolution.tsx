import { Stamp } from "@/components/approvals/stamp";
import { addressOf, answerLine, type DisplayResolution, type InboxApproval } from "@/components/approvals/types";
import { Button } from "@/components/ui/button";
import { Clamp } from "@/components/ui/clamp";
import { CheckIcon } from "@/components/ui/icons";
import { ButtonLink } from "@/components/ui/links";
import { ExactTime } from "@/components/ui/time/exact-time";
import { useFormats } from "@/components/ui/time/formats";
import { momentInWords } from "@/components/ui/time/relative-time";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { Resolution } from "@/lib/approvals/schema";
import { Panel } from "./app-content";
import { lostRaceMessage } from "./lost-race";

type ResolutionCardProps = {
  approval: InboxApproval;
  resolution: Resolution;
  next?: React.ReactNode;
};

/** The recorded answer with its author and time. */
export function ResolutionCard({ approval, resolution, next }: ResolutionCardProps) {
  const who = resolution.resolvedBy === "owner" ? "You" : approval.app.name;
  return (
    <Panel of={approval} label="Answer" look="border-yes bg-yes-soft">
      <div className="flex gap-3">
        <CheckIcon className="mt-0.5 size-5 text-yes" />
        <div className="min-w-0 grow">
          <p className="text-muted">
            {approval.byDefault ? (
              "Deadline passed. The default was recorded"
            ) : (
              <>
                <bdi>{who}</bdi> answered{resolution.resolvedBy === "api" ? " this itself" : ""}
              </>
            )}{" "}
            <TimeAgo at={resolution.resolvedAt} />, after {span(resolution.resolvedAt - approval._creationTime)}
          </p>
          <AnswerText approval={approval} resolution={resolution} />
        </div>
      </div>
      <Trail approval={approval} resolution={resolution} />
      {next ? <div className="mt-4">{next}</div> : null}
    </Panel>
  );
}

/** The answer's text, stamp and note. */
export function AnswerText({ approval, resolution }: { approval: InboxApproval; resolution: Resolution }) {
  return (
    <>
      <Clamp what="The answer" className="max-h-72">
        <p dir="auto" className="text-base font-semibold whitespace-pre-line">
          {answerLine(approval, resolution)}
        </p>
      </Clamp>
      <Stamp {...{ approval, resolution }} timed />
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

/** The question's timeline. The full activity is a link below the answer. */
function Trail({ approval, resolution }: Pick<ResolutionCardProps, "approval" | "resolution">) {
  const seenAt = approval.triage.seenAt;
  const lines: [what: string, at: number, who: React.ReactNode][] = [
    ["Asked", approval._creationTime, <bdi key="app">{approval.app.name}</bdi>],
    ...(seenAt === undefined ? [] : [["Seen", seenAt, "you"] as [string, number, string]]),
    [
      "Answered",
      resolution.resolvedAt,
      resolution.resolvedBy === "owner" ? (
        "you"
      ) : approval.byDefault ? (
        "default, when the deadline passed"
      ) : (
        <span key="api">
          <bdi>{approval.app.name}</bdi>, through the API
        </span>
      ),
    ],
  ];
  return (
    <ol className="mt-3 grid gap-0.5 border-t border-line pt-3 text-xs text-muted">
      {lines.map(([what, at, who]) => (
        <li key={what}>
          {what} <ExactTime at={at} />, by {who}
        </li>
      ))}
      {approval.outcomes.map(({ status, reportedAt }) => (
        <li key={`${reportedAt} ${status}`} className={status === "failed" ? "font-semibold text-danger" : ""}>
          Reported {status} <ExactTime at={reportedAt} />, by <bdi>{approval.app.name}</bdi>
        </li>
      ))}
    </ol>
  );
}

type LateCardProps = Pick<ResolutionCardProps, "approval"> & {
  decided: DisplayResolution;
  sent: boolean;
  /** The next question, if any. */
  next: InboxApproval | undefined;
  onNext: () => void;
};

/**
 * Replaces the options when the owner did not decide. It shows the recorded answer until they
 * continue.
 */
export function LateCard({ approval, decided, sent, next, onNext }: LateCardProps) {
  const formats = useFormats();
  return (
    <Panel of={approval} label="Answer" look="border-warn bg-warn-soft">
      <p className="font-semibold" dir="auto">
        {lostRaceMessage(approval, decided, sent, momentInWords(decided.resolvedAt, Date.now(), formats))}
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

/** A duration in a few words. */
export function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 1000) return "less than a second";
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
