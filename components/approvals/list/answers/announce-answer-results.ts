import { dropDraft, keepDraft } from "@/components/approvals/answer/drafts";
import { lostRaceMessage } from "@/components/approvals/decision/lost-race-message";
import {
  type AnswerState,
  type DisplayResolution,
  type InboxApproval,
  wrongNumber,
} from "@/components/approvals/inbox-approval";
import type { Notice, Subject } from "@/components/triage/item-state";
import { momentInWords } from "@/components/ui/time/time-text";
import type { Formats } from "@/lib/text/dates";

type AnswerNotice = Notice<InboxApproval, DisplayResolution>;
type Outlets = {
  announce: (words: string) => void;
  /** Shows a brief message. */
  notify: (words: string) => void;
  /** Reports an answer that the server did not receive or accept. */
  onFailure: (approval: InboxApproval, words: string) => void;
  stateOf: (approval: InboxApproval) => AnswerState | undefined;
  formats: Formats;
};

/** Saves or discards the owner's draft, as the notice says. */
export function updateDraft(notice: Extract<AnswerNotice, { type: "keepWords" | "dropWords" }>): void {
  if (notice.type === "dropWords") {
    dropDraft(notice.id);
    return;
  }
  const { otherText, note, values } = notice.outcome;
  if (otherText) keepDraft(notice.id, "otherText", otherText);
  if (note) keepDraft(notice.id, "note", note);
  if (values) keepDraft(notice.id, "values", JSON.stringify(values));
}

/** Reports the results of the owner's answers. */
export function reportNotice(
  { news, about, message }: Extract<AnswerNotice, { type: "tell" }>,
  outlets: Outlets,
): void {
  for (const subject of about) {
    if (news === "beaten") reportBeaten(subject, outlets);
    if (news === "after all") outlets.announce(`Your answer was saved: ${subject.item.question}`);
    if (news !== "failed") continue;
    const failure = `Couldn’t send your answer. ${message}`;
    if (message !== wrongNumber) outlets.announce(failure);
    outlets.onFailure(subject.item, failure);
  }
  if (news === "too late") outlets.notify("Couldn’t undo. The answer was already sent.");
  if (news === "not undone") outlets.notify(`Couldn’t undo. ${message}`);
  if (news === "not committed") outlets.notify(`Couldn’t send your answer yet. ${message}`);
}

function reportBeaten({ item, outcome }: Subject<InboxApproval, DisplayResolution>, outlets: Outlets): void {
  if (!outcome) return;
  const state = outlets.stateOf(item);
  const sent = state?.phase === "beaten" && state.sent;
  const late = lostRaceMessage(item, outcome, sent, momentInWords(outcome.resolvedAt, outlets.formats));
  outlets.announce(late);
  if (sent) outlets.onFailure(item, late);
}
