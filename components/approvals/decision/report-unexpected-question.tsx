"use client";
import { ActionForm } from "@/components/actions/action-form";
import { Button } from "@/components/ui/button";
import { LinkLine } from "@/components/ui/styled-links";
import { useModal } from "@/components/ui/use-modal";

export type UnexpectedNote = {
  id: string;
  app: { clientId: string; name: string; revoked: boolean; muted: boolean };
  /** The default that is recorded at the deadline, if any. */
  byDefault?: string | undefined;
  /** Whether the question is closed and already recorded as unexpected. */
  recorded?: boolean;
};

/** The choices for a question that the owner did not expect. Each is recorded in Activity. */
export function UnexpectedForm({ id, app, byDefault, recorded = false }: UnexpectedNote) {
  const { clientId, revoked, muted } = app;
  const name = <bdi>{app.name}</bdi>;
  const happened = {
    mute: <>{name} is muted.</>,
    revoke: <>{name} no longer has access.</>,
    note: <>The question is recorded in Activity.</>,
  };
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        {recorded ? null : "You don’t have to answer. "}
        {name} isn’t notified about your choice below.
        {byDefault === undefined ? null : (
          <>
            {" "}
            If you don’t answer, Countersign uses the default, “<bdi>{byDefault}</bdi>”.
          </>
        )}
      </p>
      <ActionForm
        act="approval.unexpected"
        fields={{ id }}
        className="grid gap-2"
        success={({ reaction, dropped }) => (
          <p role="status" className="font-medium text-ink">
            {happened[reaction]}
            {dropped ? " Your answer wasn’t sent. The question is still open." : null}
          </p>
        )}
      >
        {muted ? null : (
          <Choice reaction="mute" about="Questions still arrive, without alerts or badges.">
            Mute {name}
          </Choice>
        )}
        {revoked ? null : (
          <Choice reaction="revoke" about="Until you reconnect the app, it can’t ask or read answers.">
            Revoke access
          </Choice>
        )}
        {recorded ? null : (
          <Choice reaction="note" about="Your activity log shows that you didn’t expect this question.">
            Only record the question
          </Choice>
        )}
      </ActionForm>
      <p className="flex flex-wrap gap-x-4">
        <LinkLine href={`/approvals?status=resolved&app=${clientId}`}>Past questions from this app</LinkLine>
        {revoked ? null : <LinkLine href={`/apps/${clientId}`}>Review access</LinkLine>}
      </p>
    </div>
  );
}

type ChoiceProps = { reaction: "mute" | "revoke" | "note"; about: string; children: React.ReactNode };

const Choice = ({ reaction, about, children }: ChoiceProps) => (
  <Button
    type="submit"
    name="reaction"
    value={reaction}
    variant={reaction === "revoke" ? "danger" : "secondary"}
    className="flex-col items-start! gap-0! text-start!"
  >
    <span>{children}</span>
    <span className="text-xs font-normal text-muted">{about}</span>
  </Button>
);

/** The choices for an unexpected question, in a dialog over the question. */
export function UnexpectedDialog({ onClose, ...suspected }: UnexpectedNote & { onClose: () => void }) {
  return (
    <dialog
      ref={useModal(onClose)}
      aria-labelledby="suspicion"
      className="w-[min(26rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-5 text-sm text-ink shadow-float"
    >
      <h2 id="suspicion" className="mb-2 text-base">
        Didn’t expect this question?
      </h2>
      <UnexpectedForm {...suspected} />
      <form method="dialog" className="mt-2 flex justify-end">
        <Button type="submit" variant="quiet" size="small">
          Close
        </Button>
      </form>
    </dialog>
  );
}
