import { defaultOption, type InboxApproval, suggestedOption } from "@/components/approvals/inbox-approval";
import { ImpersonationNotice, RevokedNotice } from "@/components/approvals/question-warnings";
import { Clamp } from "@/components/ui/clamp-text";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { AnswerDeadline } from "./answer-deadline";
import { Facts } from "./facts";
import { Author, FirstFromApp } from "./question-author";

type AppContentProps = {
  approval: InboxApproval;
  /** Whether the question can be answered. */
  open?: boolean;
  /** Whether the question can be answered, or has a held answer. */
  pending?: boolean;
};

/**
 * The app's text, below a line of ours that names the app as its author. App text can't pass for a
 * part of our page.
 */
export function AppContent({ approval, open = false, pending = false }: AppContentProps) {
  const { _id: id, app, question, recommendation, background, resolution } = approval;
  const deadline = approval.dueAt ?? approval.expiresAt;
  const inWords = suggestedOption(approval) ? undefined : recommendation?.trim();
  const [newest, ...earlier] = approval.additions.map((it, index) => ({ ...it, nth: index + 1 })).reverse();
  return (
    <div className="grid grid-cols-1 gap-5 [&_:is(a,button,[tabindex])]:scroll-mb-[calc(45svh+4rem)]">
      <Author
        approval={approval}
        when={pending && deadline !== undefined ? <AnswerDeadline at={deadline} /> : <Asked approval={approval} />}
      />
      {open ? <FirstFromApp approval={approval} /> : null}
      {approval.impersonates && open ? <ImpersonationNotice name={app.name} /> : null}
      <div data-said className="grid grid-cols-1 gap-5">
        <Clamp key={id} what="The question" end="the question" className="max-h-42 low:max-h-24">
          <h2
            id="question"
            tabIndex={-1}
            dir="auto"
            className={`pb-0.5 text-pretty whitespace-pre-line outline-none ${question.length > 140 ? "text-lg" : "text-lg sm:text-xl max-sm:text-[1.75rem] max-sm:leading-[2.125rem] low:text-lg"}`}
          >
            {question}
          </h2>
        </Clamp>
        <Facts facts={approval.facts} otherwise={pending ? defaultOption(approval)?.label : undefined} />
        {newest ? <Addition key={newest.createdAt} of={approval} {...newest} /> : null}
        {inWords ? <Suggestion approval={approval} words={inWords} /> : null}
        {background ? (
          <section aria-label={`Background from ${app.name}`} className="text-muted">
            {background}
            <div data-end="the background" />
          </section>
        ) : null}
        {earlier.map((addition) => (
          <Addition key={addition.createdAt} of={approval} {...addition} />
        ))}
        {approval.whole ? null : <p className="text-muted">Loading the background…</p>}
      </div>
      {app.revoked && !resolution ? <RevokedNotice /> : null}
    </div>
  );
}

/** How many questions an app must ask in a day before the page shows the count. */
const manyADay = 10;

/** When the app asked, and how often today if that is unusual. */
const Asked = ({ approval: { triage, _creationTime: at } }: AppContentProps) => (
  <>
    <TimeAgo at={at} />
    {triage.nthToday !== undefined && triage.nthToday >= manyADay
      ? ` · ${triage.nthToday > 99 ? "100+" : triage.nthToday} questions today`
      : null}
  </>
);

/** The app's suggestion, if it matches no option. */
const Suggestion = ({ approval: { _id: id, app }, words }: AppContentProps & { words: string }) => (
  <section aria-label={`Suggested by ${app.name}`}>
    <p className="mb-0.5 text-xs font-semibold text-muted">
      <bdi>{app.name}</bdi> suggests
    </p>
    <Clamp key={id} what="The suggestion" end="the suggestion" className="max-h-25">
      <p dir="auto" className="whitespace-pre-line">
        {words}
      </p>
    </Clamp>
  </section>
);

type AdditionProps = { of: InboxApproval; nth: number; createdAt: number; body?: React.ReactNode };

/**
 * Text that the app added after asking. The newest addition appears directly below the question.
 * Earlier additions follow the background, newest first.
 */
function Addition({ of: { app, additions }, nth, createdAt, body }: AdditionProps) {
  const name = `Addition ${nth}`;
  return (
    <section
      aria-label={`${name} by ${app.name}`}
      className={nth === additions.length ? "rounded-xl bg-pane px-4 py-3 forced-colors:border" : ""}
      data-added
    >
      <p className="mb-1 text-xs font-semibold text-muted">
        {additions.length === 1 ? "Added" : name}
        {nth > 1 && nth === additions.length ? ", the newest" : ""}
        {additions.length === 1 ? " " : " · "}
        <TimeAgo at={createdAt} />
      </p>
      {body}
      <div data-end={name} />
    </section>
  );
}

type PanelProps = {
  of: InboxApproval;
  label: string;
  /** CSS classes for the panel's background and layout. */
  look: string;
  children: React.ReactNode;
};

/** A panel outside the app's frame, with our text or the owner's. */
export const Panel = ({ of: { _id }, label, look, children }: PanelProps) => (
  <section key={_id} aria-label={label} className={`rounded-xl px-4 py-3.5 forced-colors:border ${look}`}>
    {children}
  </section>
);
