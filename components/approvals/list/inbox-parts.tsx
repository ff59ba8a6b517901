"use client";
import { Decision } from "@/components/approvals/decision/decision";
import { Instead } from "@/components/approvals/split-view";
import type { InboxApproval } from "@/components/approvals/types";
import { openDialog } from "@/components/keys/open";
import { useLatest } from "@/components/triage/use-latest";
import { Button } from "@/components/ui/button";
import { useFormats } from "@/components/ui/time/formats";
import { upTo } from "@/lib/text/formats";
import { BatchDialog, SnoozeDialog } from "./dialogs";
import { FailedAnswers } from "./failed-answers";
import { Row } from "./row";
import { Rows, SelectionBar } from "./rows";
import type { InboxState } from "./use-inbox";
import type { InboxChoice, InboxDialogs } from "./use-inbox-choice";
import type { InboxProps } from "./use-visible-rows";

/** The buttons at the list's heading. */
export function InboxTools({ waiting, selection }: Pick<InboxState, "waiting" | "selection">) {
  return (
    <>
      {waiting.length > 0 && !selection.picking ? (
        <Button variant="quiet" size="small" className="pointer-fine:hidden" onClick={selection.pick}>
          Select
        </Button>
      ) : null}
      <Button
        variant="quiet"
        size="small"
        aria-label="Keys"
        aria-keyshortcuts="?"
        className="max-lg:hidden"
        onClick={() => openDialog("help")}
      >
        ?
      </Button>
    </>
  );
}

type PartProps = { inbox: InboxState; dialogs: InboxDialogs };

type InboxListProps = PartProps & Pick<InboxProps, "view" | "query">;

/** The list: answers that failed, the selection's actions, and the rows. */
export function InboxList({ inbox, dialogs, view, query }: InboxListProps) {
  const { rows, current, answers } = inbox;
  const { selected, ...selection } = inbox.selection;
  const hold = (id: string) => {
    const held = rows.find(({ _id }) => _id === id);
    if (!held || !inbox.isOpen(held)) return;
    selection.pick();
    selection.toggle(held);
  };
  const onRow = useLatest({
    select: selection.toggle,
    open: inbox.open,
    undo: (approval: InboxApproval) => inbox.undo([approval]),
  });
  return (
    <>
      <FailedAnswers
        answers={answers}
        current={inbox.inView ? current : undefined}
        onOpen={inbox.go}
        onSeen={inbox.acknowledge}
      />
      {rows.length > 0 ? (
        <Rows
          blocks={inbox.blocks}
          current={current}
          onFold={inbox.setFold}
          countOf={inbox.countOf}
          onSelectAll={inbox.selectAll}
          onHeld={hold}
          row={(approval) => (
            <Row
              key={approval._id}
              approval={approval}
              answer={answers.get(approval._id)}
              open={approval._id === current?._id}
              query={query}
              unread={view === "waiting" && inbox.isOpen(approval) && !inbox.seen(approval)}
              {...(inbox.isOpen(approval) ? { selected: selected.includes(approval) } : {})}
              picking={selection.picking}
              on={onRow}
            />
          )}
        />
      ) : null}
      <SelectionBar
        selected={selected}
        picking={selection.picking}
        countOf={inbox.countOf}
        onSelectAll={inbox.selectAll}
        onAnswer={() => dialogs.show("batch")}
        onSnooze={() => dialogs.show("snooze")}
        onClear={selection.clear}
      />
    </>
  );
}

type OpenQuestionProps = PartProps & { choice: InboxChoice } & Pick<InboxProps, "listAddress" | "rules" | "empty">;

/** The open question with its answers, or what is there instead. */
export function OpenQuestion({ inbox, dialogs, choice, listAddress, rules, empty }: OpenQuestionProps) {
  const formats = useFormats();
  const { current, next, answers, left, place, alone } = inbox;
  if (!current) return <Instead>{alone ? <p className="text-muted">Loading the question…</p> : empty}</Instead>;
  return (
    <Decision
      approval={current}
      answer={answers.get(current._id)}
      place={place > 0 ? `${place} of ${upTo(9_999, left, formats)}` : undefined}
      {...{ next, listAddress, rules, chosen: choice.chosen }}
      tooSoon={inbox.tooSoon}
      on={{
        answer: choice.answer,
        choose: choice.choose,
        holdBack: inbox.holdBack,
        ask: (form) => inbox.askBack(current, form),
        snooze: () => dialogs.show("snooze"),
        next() {
          if (answers.get(current._id)?.phase === "beaten") inbox.acknowledge(current);
          inbox.go(next);
        },
        back: inbox.toList,
      }}
    />
  );
}

/** The open dialog, for the selected questions or the open one. */
export function OpenDialog({ inbox, dialogs, rules }: PartProps & Pick<InboxProps, "rules">) {
  const { dialog, forAll, show } = dialogs;
  const { selected } = inbox.selection;
  const [first, ...others] = selected;
  return (
    <>
      {dialog === "snooze" ? (
        <SnoozeDialog
          offers={rules.snoozes}
          count={selected.length || 1}
          onChoose={inbox.snooze}
          onClose={() => show(undefined)}
        />
      ) : null}
      {dialog === "batch" && first ? (
        <BatchDialog
          several={[first, ...others]}
          optionId={forAll}
          onAnswer={(form) => {
            show(undefined);
            inbox.answerSelected(form);
          }}
          onClose={() => show(undefined)}
        />
      ) : null}
    </>
  );
}
