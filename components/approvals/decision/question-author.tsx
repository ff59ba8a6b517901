import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { AppIcon } from "@/components/ui/app-icon";

type AuthorProps = {
  approval: InboxApproval;
  /** The age of the question, or the deadline for its answer. */
  when: React.ReactNode;
};

/** The requesting app: its tile, name and host. */
export const Author = ({ approval: { app, ownerOnly, once, risk, status }, when }: AuthorProps) => (
  <div className="flex items-center gap-3">
    <AppIcon {...app} className="size-11 sm:size-7 low:size-7" />
    <p className="min-w-0 sm:flex sm:flex-wrap sm:items-baseline sm:gap-x-3">
      <bdi className="block font-semibold max-sm:text-base">{app.name}</bdi>
      <span className="text-muted max-sm:text-xs">
        {app.own ? "This service" : (app.host ?? <span title="No one has verified this app’s name">Unverified</span>)}
        {" · "}
        {when}
        {app.revoked ? (
          <>
            {" · "}
            <span className="font-medium text-warn">Access revoked</span>
          </>
        ) : null}
        {risk === "high" ? (
          <>
            {" · "}
            <span className="font-medium text-danger">High risk</span>
          </>
        ) : null}
        {ownerOnly ? " · Only you can answer" : null}
        {once && status === "pending" ? " · You can withdraw your answer until it’s used" : null}
      </span>
    </p>
  </div>
);

/** A note that this is the app's first question. */
export const FirstFromApp = ({ approval: { app, triage } }: Pick<AuthorProps, "approval">) =>
  triage.first && !app.own ? (
    <p className="-mt-3 text-warn">
      First question from <bdi className="font-medium">{app.name}</bdi>. Check that you know this app.
    </p>
  ) : null;
