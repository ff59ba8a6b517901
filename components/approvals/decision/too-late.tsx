import { defaultOption, type InboxApproval } from "@/components/approvals/types";
import { Notice } from "@/components/ui/notice";
import { Deadline } from "@/components/ui/time/deadline";
import { ExactTime } from "@/components/ui/time/exact-time";

/** A question's deadline, default and owner-only mark, in our words, not the app's. */
export function Constraints({ approval }: { approval: InboxApproval }) {
  const { expiresAt, ownerOnly } = approval;
  const otherwise = defaultOption(approval);
  if (expiresAt === undefined && !ownerOnly) return null;
  return (
    <ul
      aria-label="Terms of this question"
      className="grid gap-1 rounded-lg bg-pane forced-colors:border px-3.5 py-2.5"
    >
      {expiresAt === undefined ? null : (
        <li>
          Answer by <ExactTime at={expiresAt} />, <Deadline at={expiresAt} />
        </li>
      )}
      {otherwise ? (
        <li>
          If you don’t answer: <bdi className="font-semibold">{otherwise.label}</bdi>
        </li>
      ) : null}
      {ownerOnly ? <li>Only you can answer this question.</li> : null}
    </ul>
  );
}

/** Replaces the options after the deadline. */
export function TooLateToAnswer({ approval, next }: { approval: InboxApproval; next: React.ReactNode }) {
  const otherwise = defaultOption(approval);
  return (
    <Notice tone="warn" title="The deadline has passed">
      {approval.expiresAt === undefined ? null : (
        <p>
          The deadline was <ExactTime at={approval.expiresAt} />.
        </p>
      )}
      {otherwise ? (
        <p>
          Recording the default: <bdi className="font-semibold">{otherwise.label}</bdi>
        </p>
      ) : (
        <p>
          This question expired without an answer. <bdi>{approval.app.name}</bdi> can ask again.
        </p>
      )}
      {next}
    </Notice>
  );
}
