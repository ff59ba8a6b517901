import { ActionForm } from "@/components/actions/action-form";
import { Danger } from "@/components/approvals/danger";
import { ImpersonationNotice, RevokedNotice } from "@/components/approvals/notices";
import { type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { Clamp } from "@/components/ui/clamp";
import { Link } from "@/components/ui/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { ordinal } from "@/lib/text/plural";
import { Facts } from "./facts";

type FrameProps = {
  approval: InboxApproval;
  open?: boolean;
};

/**
 * The app's words, in a frame headed by our line about their author. Invariant: nothing inside can
 * pass for a part of the page. Texts expanded in one question are collapsed in the next.
 */
export function AppContent({ approval, open = false }: FrameProps) {
  const { app, question, recommendation, background, resolution } = approval;
  const inWords = suggestedOption(approval) ? undefined : recommendation?.trim();
  const [newest, ...earlier] = approval.additions.map((it, index) => ({ ...it, nth: index + 1 })).reverse();
  return (
    <div className="rounded-xl bg-pane forced-colors:border [&_:is(a,button,[tabindex])]:scroll-mb-[calc(45svh+4rem)]">
      <Author approval={approval} />
      {approval.triage.first && open && !app.own ? <FirstFromApp approval={approval} /> : null}
      {approval.impersonates && open ? (
        <div className="border-b border-line px-4 py-3 sm:px-5">
          <ImpersonationNotice name={app.name} />
        </div>
      ) : null}
      <div data-said className="grid grid-cols-1 gap-4 px-4 py-4 sm:px-5">
        <Clamp key={approval._id} what="The question" end="the question" className="max-h-42">
          <h2 id="question" tabIndex={-1} dir="auto" className="text-lg text-pretty whitespace-pre-line outline-none">
            {question}
          </h2>
        </Clamp>
        <Facts facts={approval.facts} />
        {newest ? (
          <Addition key={newest.createdAt} of={approval} {...newest} look="rounded-lg border bg-pane px-3.5 py-2.5" />
        ) : null}
        {inWords ? <Suggestion approval={approval} words={inWords} /> : null}
        {background ? (
          <section aria-label={`Background from ${app.name}`}>
            <p className="mb-1 text-xs font-semibold text-muted">Background</p>
            <Clamp key={approval._id} what="The background" end="the background" className={tall}>
              {background}
            </Clamp>
          </section>
        ) : null}
        {earlier.map((addition) => (
          <Addition key={addition.createdAt} of={approval} {...addition} look="border-t pt-3" />
        ))}
        {approval.whole ? null : <p className="text-muted">Loading the background…</p>}
      </div>
      {app.revoked && !resolution ? (
        <div className="px-4 pb-4 sm:px-5">
          <RevokedNotice />
        </div>
      ) : null}
    </div>
  );
}

/** The app that asks, and the time. */
const Author = ({ approval: { app, risk, triage, _creationTime: index } }: FrameProps) => (
  <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-4 py-2.5 text-muted">
    <AppIcon {...app} className="size-7" />
    <bdi className="font-semibold text-ink">{app.name}</bdi>
    {app.own ? <span>this service</span> : app.host ? <span>{app.host}</span> : null}
    {app.revoked ? <Badge tone="warn">Access revoked</Badge> : null}
    {risk === "high" ? <Danger>High risk</Danger> : null}
    <span className="max-sm:-mt-1.5 max-sm:basis-full max-sm:ps-9.5 max-sm:text-xs sm:ms-auto">
      asked <TimeAgo at={index} />
      {triage.nthToday !== undefined && triage.nthToday > 1
        ? ` · ${triage.nthToday > 99 ? "100+ questions" : `${ordinal(triage.nthToday)} question`} today`
        : ""}
    </span>
  </p>
);

/** The owner's choices for an app that asks for the first time. */
const FirstFromApp = ({ approval: { _id: id, clientId, app } }: FrameProps) => (
  <div className="flex flex-wrap items-center gap-x-3 border-b border-line bg-fill px-4 py-1">
    <p className="me-auto py-1">This is the first question from this app.</p>
    {app.muted ? null : (
      <ActionForm key={id} act="approval.mute" fields={{ id, clientId, muted: "yes" }}>
        <button type="submit" className="link inline-flex min-h-11 items-center font-medium sm:min-h-8">
          Mute
        </button>
      </ActionForm>
    )}
    {app.revoked ? null : (
      <Link href={`/apps/${clientId}`} className="link inline-flex min-h-11 items-center font-medium sm:min-h-8">
        Review or revoke access
      </Link>
    )}
  </div>
);

/** A suggestion that names no option. */
const Suggestion = ({ approval: { _id: id, app }, words }: FrameProps & { words: string }) => (
  <section aria-label={`Suggested by ${app.name}`} className="rounded-lg bg-pane forced-colors:border px-3.5 py-2.5">
    <p className="mb-0.5 text-xs font-semibold text-muted">
      Suggested by <bdi>{app.name}</bdi>
    </p>
    <Clamp key={id} what="The suggestion" end="the suggestion" className="max-h-25">
      <p dir="auto" className="whitespace-pre-line">
        {words}
      </p>
    </Clamp>
  </section>
);

/** The height of a long text until it is expanded. */
const tall = "max-h-72 lg:max-h-104";

type AdditionProps = { of: InboxApproval; nth: number; createdAt: number; body?: React.ReactNode; look: string };

/**
 * An addition by the app. The newest is right under the question, because it applies now;
 * earlier ones follow the background, newest first.
 */
function Addition({ of: { _id, app, additions }, nth, createdAt, body, look }: AdditionProps) {
  const name = `Addition ${nth}`;
  return (
    <section aria-label={`${name} by ${app.name}`} className={`border-line ${look}`} data-added>
      <p className="mb-1 text-xs font-semibold text-muted">
        {additions.length === 1 ? "Added" : name}
        {nth > 1 && nth === additions.length ? ", the newest" : ""}
        {additions.length === 1 ? " " : " · "}
        <TimeAgo at={createdAt} />
      </p>
      <Clamp key={_id} what={name} end={name} className={tall}>
        {body}
      </Clamp>
    </section>
  );
}

type PanelProps = {
  of: InboxApproval;
  label: string;
  /** The panel's border and background, as classes. */
  look: string;
  children: React.ReactNode;
};

/** A panel outside the app's frame, with our words or the owner's. */
export const Panel = ({ of: { _id }, label, look, children }: PanelProps) => (
  <section key={_id} aria-label={label} className={`rounded-xl border px-4 py-4 sm:px-5 ${look}`}>
    {children}
  </section>
);
