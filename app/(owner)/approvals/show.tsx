import { Background } from "@/components/approvals/decision/background";
import type { InboxApproval } from "@/components/approvals/types";
import { impersonates } from "@/lib/approvals/impersonation";
import type { OwnedApproval } from "@/lib/approvals/owned";

/** How much background, in characters, travels with a list: the next questions' is there before it is asked for. */
const room = 40_000;

/** Approvals with their backgrounds and additions rendered: the open one's in any case, the others' while there is room. */
export function show(approvals: OwnedApproval[], open: string | undefined): InboxApproval[] {
  let left = room;
  return approvals.map(({ backgroundContext = "", additions, ...rest }) => {
    const said = [rest.question, rest.recommendation, backgroundContext, ...additions.map(({ text }) => text)];
    const approval = { ...rest, impersonates: impersonates([...said, ...rest.options.map(({ label }) => label)]) };
    const background = backgroundContext.trim() === "" ? undefined : backgroundContext;
    const size = additions.reduce((sum, { text }) => sum + text.length, background?.length ?? 0);
    left -= size;
    if (size > 0 && left < 0 && approval._id !== open)
      return { ...approval, additions: additions.map(({ createdAt }) => ({ createdAt })), whole: false };
    return {
      ...approval,
      whole: true,
      ...(background !== undefined && { background: <Background text={background} /> }),
      additions: additions.map(({ text, createdAt }) => ({ createdAt, body: <Background text={text} /> })),
    };
  });
}
