import { AppMarkdown } from "@/components/approvals/decision/app-markdown";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { displayOptions } from "@/lib/approvals/content/option-order";
import { impersonates } from "@/lib/approvals/detect-impersonation";
import { factLines } from "@/lib/approvals/facts";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import { withoutSignature } from "@/lib/approvals/sign/without-signature";

/**
 * The maximum number of characters of app text in a list. Questions within this limit open without
 * another request.
 */
const room = 40_000;

/**
 * Renders the backgrounds and additions of the open approval and of other approvals, up to `room`
 * characters in total.
 */
export function toInboxApproval(approvals: OwnerApproval[], open: string | undefined): InboxApproval[] {
  let left = room;
  return approvals.map(({ backgroundContext = "", additions, ...others }) => {
    const owned = withoutSignatures(others);
    const hasBackground = backgroundContext.trim() !== "";
    const approval = { ...owned, options: displayOptions(owned.options), hasBackground };
    const labels = approval.options.flatMap(({ label, note = "" }) => [label, note]);
    const added = additions.map(({ text }) => text);
    const { question, recommendation = "", facts } = approval;
    const texts = [question, recommendation, backgroundContext, ...factLines(facts), ...added, ...labels];
    left -= texts.reduce((sum, text) => sum + text.length, 0);
    if (left < 0 && approval._id !== open) {
      const unread = additions.map(({ createdAt }) => ({ createdAt }));
      return { ...approval, additions: unread, whole: false, impersonates: false };
    }
    return {
      ...approval,
      whole: true,
      impersonates: !approval.app.own && impersonates(texts),
      ...(hasBackground && { background: <AppMarkdown text={backgroundContext} /> }),
      additions: additions.map(({ text, createdAt }) => ({ createdAt, body: <AppMarkdown text={text} /> })),
    };
  });
}

/** Replaces the signature of the recorded or held answer with `signed`. */
function withoutSignatures<T extends Pick<OwnerApproval, "resolution" | "triage">>(approval: T) {
  const { resolution, triage } = approval;
  const { held } = triage;
  const signature = resolution?.signature ?? held?.answer.signature;
  return {
    ...approval,
    ...(resolution && { resolution: withoutSignature(resolution) }),
    ...(held && { triage: { ...triage, held: { ...held, answer: withoutSignature(held.answer) } } }),
    ...(signature && { signed: { synced: signature.synced } }),
  };
}
