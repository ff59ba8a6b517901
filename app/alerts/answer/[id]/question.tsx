import { Facts } from "@/components/approvals/decision/facts";
import { ImpersonationNotice, RevokedNotice } from "@/components/approvals/notices";
import { defaultOption, type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { AppIcon } from "@/components/ui/app-icon";

type MailedQuestionProps = { approval: InboxApproval; open: boolean; when: (at: number) => string };

/**
 * An app's whole question. Nothing is folded or scrolls, so the owner can see all of it before
 * answering.
 */
export function MailedQuestion({ approval, open, when }: MailedQuestionProps) {
  const { app, question, recommendation, background, additions, expiresAt, _creationTime: askedAt } = approval;
  const inWords = suggestedOption(approval) ? undefined : recommendation?.trim();
  const otherwise = defaultOption(approval);
  return (
    <article aria-labelledby="question" className="rounded-xl bg-pane forced-colors:border">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-4 py-2.5 text-muted">
        <AppIcon {...app} className="size-7" />
        <bdi className="font-semibold text-ink">{app.name}</bdi>
        {app.own ? <span>this service</span> : app.host ? <span>{app.host}</span> : null}
        <span className="sm:ms-auto">asked {when(askedAt)}</span>
      </p>
      {approval.triage.first && open && !app.own ? (
        <p className="border-b border-line bg-fill px-4 py-2">This is the first question from this app.</p>
      ) : null}
      {approval.impersonates && open ? (
        <div className="border-b border-line px-4 py-3 sm:px-5">
          <ImpersonationNotice name={app.name} />
        </div>
      ) : null}
      <div className="grid grid-cols-1 gap-4 px-4 py-4 sm:px-5">
        <h2 id="question" dir="auto" className="text-lg text-pretty whitespace-pre-line">
          {question}
        </h2>
        <Facts facts={approval.facts} />
        {inWords ? (
          <Part name={`Suggested by ${app.name}`}>
            <p dir="auto" className="whitespace-pre-line">
              {inWords}
            </p>
          </Part>
        ) : null}
        {background ? <Part name="Background">{background}</Part> : null}
        {additions.map(({ createdAt, body }, index) => (
          <Part key={createdAt} name={`Addition ${index + 1}, ${when(createdAt)}`}>
            {body}
          </Part>
        ))}
        {expiresAt === undefined ? null : (
          <p className="border-t border-line pt-3">
            Answer by {when(expiresAt)}.
            {otherwise ? (
              <>
                {" "}
                If you don’t answer: <bdi className="font-semibold">{otherwise.label}</bdi>
              </>
            ) : null}
          </p>
        )}
      </div>
      {app.revoked && open ? (
        <div className="px-4 pb-4 sm:px-5">
          <RevokedNotice />
        </div>
      ) : null}
    </article>
  );
}

const Part = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <section aria-label={name} className="border-t border-line pt-3">
    <p className="mb-1 text-xs font-semibold text-muted">
      <bdi>{name}</bdi>
    </p>
    {children}
  </section>
);
