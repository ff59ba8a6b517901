import { Stamp } from "@/components/approvals/answer-signature";
import { answerLine, type InboxApproval, receiptOf } from "@/components/approvals/inbox-approval";
import { lazyView } from "@/components/layout/lazy-component";
import { Clamp } from "@/components/ui/clamp-text";
import { CheckIcon } from "@/components/ui/icons";
import { LinkLine } from "@/components/ui/styled-links";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { Resolution } from "@/lib/approvals/schema";
import { Panel } from "./app-content";

const AnswerUse = lazyView(() => import("./answer-use").then((it) => it.AnswerUse));
const ShownValues = lazyView(() => import("../answer/values/shown-values").then((it) => it.ShownValues));

type ResolutionCardProps = {
  approval: InboxApproval;
  resolution: Resolution;
};

/** The recorded answer with its author and time. */
export function ResolutionCard({ approval, resolution }: ResolutionCardProps) {
  const isOwners = resolution.resolvedBy === "owner";
  return (
    <AnswerCard
      approval={approval}
      resolution={resolution}
      head={
        isOwners ? (
          <>
            You answered · <ExactTime at={resolution.resolvedAt} />
          </>
        ) : approval.byDefault ? null : (
          <>
            <bdi>{approval.app.name}</bdi> answered its own question
          </>
        )
      }
    >
      <Trail approval={approval} resolution={resolution} />
      {approval.once || approval.usedAt !== undefined ? <AnswerUse approval={approval} /> : null}
      <LinkLine href={receiptOf(approval._id)}>Receipt</LinkLine>
    </AnswerCard>
  );
}

type AnswerCardProps = ResolutionCardProps & { head: React.ReactNode; children?: React.ReactNode };

/**
 * A card with an answer. It is green for an owner's answer, unless the option is dangerous or the
 * answer was withdrawn.
 */
export function AnswerCard({ approval, resolution, head, children }: AnswerCardProps) {
  const option = approval.options.find(({ id }) => id === resolution.optionId);
  const isGreen = resolution.resolvedBy === "owner" && option?.style !== "danger" && approval.withdrawnAt === undefined;
  return (
    <Panel of={approval} label="Answer" look={`flex gap-3 ${isGreen ? "bg-yes-soft" : "bg-fill"}`}>
      <CheckIcon className={`mt-0.5 size-5 ${isGreen ? "text-yes" : "text-muted"}`} />
      <div className="min-w-0 grow">
        {head ? <p className="text-xs text-muted">{head}</p> : null}
        {approval.byDefault ? (
          <p dir="auto" className="text-base font-semibold">
            Time ran out, so Countersign used the default, “{answerLine(approval, resolution)}”
          </p>
        ) : (
          <AnswerText approval={approval} resolution={resolution} />
        )}
        {children}
      </div>
    </Panel>
  );
}

/** The answer's text, stamp and note. */
function AnswerText({ approval, resolution }: ResolutionCardProps) {
  return (
    <>
      <Clamp what="The answer" className="max-h-[30svh]">
        <p dir="auto" className="text-base font-semibold whitespace-pre-line">
          {answerLine(approval, resolution)}
        </p>
      </Clamp>
      {resolution.values ? <ShownValues approval={approval} values={resolution.values} /> : null}
      <Stamp {...{ approval, resolution }} timed />
      {resolution.note ? (
        <Clamp what="The note" className="max-h-24">
          <p dir="auto" className="mt-1 whitespace-pre-line">
            <span className="text-muted">Note: </span>
            {resolution.note}
          </p>
        </Clamp>
      ) : null}
    </>
  );
}

/** The question's main times on one line. The activity page lists the other events. */
function Trail({ approval, resolution }: ResolutionCardProps) {
  const { _creationTime: askedAt, byDefault, triage } = approval;
  return (
    <p className="mt-1.5 text-xs text-muted">
      Asked <ExactTime at={askedAt} />
      {triage.seenAt === undefined ? null : (
        <>
          {" · seen "}
          <ExactTime at={triage.seenAt} />
        </>
      )}
      {byDefault ? " · default used " : " · answered "}
      <ExactTime at={resolution.resolvedAt} />
    </p>
  );
}
