import { ShownValues } from "@/components/approvals/answer/values/shown-values";
import { Stamp } from "@/components/approvals/answer-signature";
import {
  addressOf,
  answerLine,
  type DisplayResolution,
  type InboxApproval,
  receiptOf,
} from "@/components/approvals/inbox-approval";
import { Button } from "@/components/ui/button";
import { Clamp } from "@/components/ui/clamp-text";
import { CheckIcon } from "@/components/ui/icons";
import { ButtonLink, LinkLine } from "@/components/ui/styled-links";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { ExactTime } from "@/components/ui/time/time-ago";
import { momentInWords } from "@/components/ui/time/time-text";
import type { Resolution } from "@/lib/approvals/schema";
import { AnswerUse } from "./answer-use";
import { Panel } from "./app-content";
import { lostRaceMessage } from "./lost-race-message";

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
      <AnswerUse approval={approval} />
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
      <ShownValues approval={approval} values={resolution.values} />
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

type LateCardProps = Pick<ResolutionCardProps, "approval"> & {
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
