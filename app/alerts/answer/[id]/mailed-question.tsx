import { Facts } from "@/components/approvals/decision/facts";
import { Author, FirstFromApp } from "@/components/approvals/decision/question-author";
import { defaultOption, type InboxApproval, suggestedOption } from "@/components/approvals/inbox-approval";
import { ImpersonationNotice, RevokedNotice } from "@/components/approvals/question-warnings";

type MailedQuestionProps = { approval: InboxApproval; open: boolean; when: (at: number) => string };

/** An app's whole question. Nothing is collapsed, so the owner sees all of it before answering. */
export function MailedQuestion({ approval, open, when }: MailedQuestionProps) {
  const { app, question, recommendation, background, additions, expiresAt, _creationTime: askedAt } = approval;
  const { dueAt = expiresAt, frozen } = approval;
  const inWords = suggestedOption(approval) ? undefined : recommendation?.trim();
  return (
    <article aria-labelledby="question" className="grid grid-cols-1 gap-5">
      <Author
        approval={approval}
        when={
          open && dueAt !== undefined && !frozen ? (
            <span className="font-medium text-warn">answer by {when(dueAt)}</span>
          ) : (
            `asked ${when(askedAt)}`
          )
        }
      />
      {open ? <FirstFromApp approval={approval} /> : null}
      {approval.impersonates && open ? <ImpersonationNotice name={app.name} /> : null}
      <h1
        id="question"
        dir="auto"
        className={`text-pretty whitespace-pre-line ${question.length > 140 ? "text-lg" : "text-xl"}`}
      >
        {question}
      </h1>
      <Facts facts={approval.facts} otherwise={open ? defaultOption(approval)?.label : undefined} />
      {inWords ? (
        <Part name={`${app.name} suggests`}>
          <p dir="auto" className="whitespace-pre-line">
            {inWords}
          </p>
        </Part>
      ) : null}
      {background ? (
        <section aria-label={`Background from ${app.name}`} className="text-muted">
          {background}
        </section>
      ) : null}
      {additions.map(({ createdAt, body }, index) => (
        <Part key={createdAt} name={`Addition ${index + 1}, ${when(createdAt)}`}>
          {body}
        </Part>
      ))}
      {app.revoked && open ? <RevokedNotice /> : null}
    </article>
  );
}

const Part = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <section aria-label={name}>
    <p className="mb-1 text-xs font-semibold text-muted">
      <bdi>{name}</bdi>
    </p>
    {children}
  </section>
);
