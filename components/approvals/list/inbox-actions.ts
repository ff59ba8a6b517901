import type { FormFields } from "@/components/actions/send-action";
import { isSigned } from "@/components/approvals/answer-signature";
import { type AnswerState, answerStatusOf, areAlike, type InboxApproval } from "@/components/approvals/inbox-approval";
import { singleKeysAct } from "@/components/keyboard/single-key-preference";
import type { ListMessages } from "@/components/triage/use-list-store";
import type { ActionName } from "@/lib/web/action-registry";
import type { useAnswers } from "./answers/use-answers";
import type { InboxProps } from "./inbox-props";
import { isCounted } from "./optimistic-pending-count";
import { nextPast } from "./question-queue";
import type { useApprovalTriage } from "./use-approval-triage";
import type { useArrangedRows } from "./use-arranged-rows";
import { isWide, rowOf } from "./use-open-approval";

/** The state that the owner's actions use. */
type Inbox = Pick<InboxProps, "view" | "rules"> & {
  shown: ReturnType<typeof useArrangedRows>;
  answering: ReturnType<typeof useAnswers>;
  triage: ReturnType<typeof useApprovalTriage>;
  news: ListMessages;
  selection: {
    selected: InboxApproval[];
    add: (several: readonly InboxApproval[]) => void;
    clear: () => void;
  };
  /** The question that was open when the page loaded, if any. */
  arrivedAt: string | undefined;
  /** Lets the page advance from an answered question after a few seconds. */
  linger: (id: string) => void;
  /**
   * `arm` ignores presses for a moment and then accepts them. `rest` ignores presses until another
   * question is in view. `counts` returns whether the current press is accepted.
   */
  arm: () => void;
  rest: () => void;
  counts: () => boolean;
  /** Whether the URL names the open question. */
  isNamed: boolean;
  select: (approval: InboxApproval | undefined) => void;
  focusOn: (selector: string) => void;
  go: (approval: InboxApproval | undefined) => void;
};

/** Answers one question or several, and undoes answers. */
export function answerActions({ view, rules, shown, answering, news, selection, go, ...page }: Inbox) {
  const { rows, waiting, current, next, left } = shown;
  const { selected } = selection;

  const undo = (several: InboxApproval[]) => {
    news.hide();
    const [first, ...others] = answering.undo(several);
    if (!first) return news.notify("Couldn’t undo. The answer was already sent.");
    news.announce(
      others.length === 0 ? "Answer undone. The question is open again." : `${others.length + 1} answers undone.`,
    );
    go(first);
  };
  const sendNow = (several: InboxApproval[]) => {
    news.hide();
    answering.sendNow(several);
  };
  /** Announces an answer, and offers to undo it while possible. */
  const sayAnswered = (several: [InboxApproval, ...InboxApproval[]], form: FormFields) => {
    const [about] = several;
    const label = short(answerWords(about, form));
    const count = several.length === 1 ? "" : ` ${several.length} questions`;
    const counted = several.filter(isCounted("waiting"));
    const rest = view === "waiting" ? ` ${Math.max(0, left - counted.length)} waiting.` : "";
    const seconds = rules.undoSeconds;
    const offer = seconds > 0 ? ` ${singleKeysAct() ? "To undo, press U" : "Undo"} within ${seconds} seconds.` : "";
    news.announce(`Answered${count && `${count} with`} “${label}”.${rest}${offer}`);
    const back = seconds > 0 && { undo: () => undo(several), commit: () => sendNow(several) };
    news.show(`Answered${count} · ${label}`, { about, leftMs: seconds * 1000 || traceMs, ...back });
  };

  return {
    undo,
    sendNow,
    answer(approval: InboxApproval, form: FormData) {
      if (!page.counts() || !answering.answer(approval, form)) return;
      page.rest();
      // The signing sheet shows the answer, with its own undo button.
      if (isSigned(approval, { optionId: form.get("optionId")?.toString() })) news.hide();
      else sayAnswered([approval], form);
    },
    /** Called when the answer has been displayed for its full time. */
    goOn(approval: InboxApproval) {
      if (current?._id !== approval._id) return;
      if (approval._id !== page.arrivedAt || approval.app.own) return go(next);
      page.arm();
      page.linger(approval._id);
    },
    /** Gives all selected questions the same answer. */
    answerSelected(form: FormFields) {
      const [first, ...others] = selected;
      if (!first || !areAlike(selected)) return;
      answering.answerTogether(selected, form);
      sayAnswered([first, ...others], form);
      selection.clear();
      const sameApp = nextPast(
        selected,
        waiting.filter(({ clientId }) => clientId === first.clientId),
        undefined,
      );
      const wasOpen = selected.some(({ _id }) => _id === current?._id);
      // In a wide window, the page moves to another question only if the open one was among the
      // answered ones.
      if (isWide() && wasOpen) go(sameApp);
      else page.focusOn(rowOf((isWide() ? current : sameApp) ?? nextPast(selected, waiting, undefined)));
    },
    undoLast() {
      if (news.toast?.undo) return news.toast.undo();
      const held = latestHeld(rows, answering.answers);
      if (held) return undo([held]);
      const answered = [...answering.answers.values()].filter(({ phase }) => phase !== "reading");
      const [last] = answered.sort((a, b) => b.at - a.at);
      const isSent = last && answerStatusOf(last.item, last).kind !== "open";
      news.notify(isSent ? "Your answer was already sent. You can set a time to undo in Settings." : "Nothing to undo");
    },
  };
}

/** The actions other than answering. */
export function triageActions({ view, shown, answering, triage, selection, go }: Inbox) {
  const { waiting, current, next } = shown;
  const { selected } = selection;
  /**
   * Performs an action with optimistic feedback, and opens the next question if necessary. Returns
   * false if the action has no such feedback.
   */
  const act = (name: ActionName, several: InboxApproval[], fields: Record<string, string>): boolean => {
    const [first] = several;
    const feedback = triage.act(name, several, fields);
    if (feedback?.opens === "another") go(nextPast(several, waiting, next));
    if (first && feedback?.opens === "another app" && view === "waiting") {
      const others = waiting.filter(({ clientId }) => clientId !== first.clientId);
      go(others.find((it) => it._creationTime > first._creationTime) ?? others[0]);
    }
    return feedback !== undefined;
  };
  return {
    act,
    /** Snoozes the selected questions, or the open question if none is selected. */
    snooze(chosen: { choice: string; timeZone: string }) {
      const several = selected.length > 0 ? selected : current && answering.isOpen(current) ? [current] : [];
      if (act("approval.snooze", several, chosen)) selection.clear();
    },
  };
}

/** Navigates between questions, and back to the list. */
export function navigationActions({ shown, answering, selection, isNamed, select, focusOn, go }: Inbox) {
  const { ordered, current } = shown;
  const toRow = () => focusOn(rowOf(current));
  return {
    open(approval: InboxApproval) {
      const again = approval._id === current?._id;
      select(approval);
      if (again || !isWide()) focusOn("#question");
    },
    move(step: 1 | -1, selects = false) {
      const to = ordered[ordered.findIndex(({ _id }) => _id === current?._id) + step];
      if (selects && current) selection.add([current, ...(to ? [to] : [])].filter(answering.isOpen));
      if (to) go(to);
    },
    back() {
      if (document.activeElement instanceof HTMLTextAreaElement) return focusOn("#question");
      if (selection.selected.length > 0) return selection.clear();
      if (!isWide() && !isNamed) return;
      if (!isWide()) select(undefined);
      toRow();
    },
    toList() {
      select(undefined);
      toRow();
    },
  };
}

/** The latest answer that can be undone. Prefers answers given on this page. */
export function latestHeld(
  rows: readonly InboxApproval[],
  answers: ReadonlyMap<string, AnswerState>,
): InboxApproval | undefined {
  const isHeld = (approval: InboxApproval) => {
    const standing = answerStatusOf(approval, answers.get(approval._id));
    return standing.kind === "held" && standing.until > performance.now();
  };
  const [mine] = [...answers.values()].filter(({ item }) => isHeld(item)).sort((a, b) => b.at - a.at);
  const due = ({ triage }: InboxApproval) => triage.held?.commitAt ?? 0;
  return mine?.item ?? rows.filter(isHeld).sort((a, b) => due(b) - due(a))[0];
}

/** The label or text of a form's answer. */
function answerWords({ options }: InboxApproval, form: FormFields): string {
  const optionId = form.get("optionId");
  return options.find(({ id }) => id === optionId)?.label ?? String(form.get("otherText") ?? "");
}

/** How long the toast shows an answer that cannot be undone, in milliseconds. */
const traceMs = 4000;

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text);
