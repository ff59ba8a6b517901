"use client";
import { Decision } from "@/components/approvals/decision/decision";
import { areAlike, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Instead } from "@/components/approvals/split-view";
import { useLatest } from "@/components/triage/use-latest-callbacks";
import { upTo } from "@/lib/text/plural";
import { FailedAnswers } from "./failed-answers";
import type { InboxProps } from "./inbox-props";
import { BatchDialog, SelectionBar, SnoozeDialog } from "./lazy-dialogs";
import { countKeyOf } from "./rows/arrange-sections";
import { Row } from "./rows/inbox-row";
import { Rows } from "./rows/inbox-sections";
import type { InboxState } from "./use-inbox";

type PartProps = { inbox: InboxState };
type InboxListProps = PartProps & Pick<InboxProps, "view" | "query" | "words">;

/** The list: failed answers, the rows, and the actions for selected questions. */
export function InboxList({ inbox, view, query, words }: InboxListProps) {
  const { rows, sections, current, answers, countOf } = inbox;
  const { selected, ...selection } = inbox.selection;
  const outside = sections.flatMap(({ items }) => items.flatMap((it) => (it.kind === "row" ? [it.approval] : [])));
  const isInCount = (it: InboxApproval) => it.frozen || inbox.isOpen(it);
  const onRow = useLatest({ select: selection.toggle, open: inbox.open });
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
          sections={sections}
          current={current}
          onFold={inbox.setFold}
          countOf={countOf}
          countIn={({ key }) => countOf(key) - outside.filter((it) => countKeyOf(it) === key && isInCount(it)).length}
          onTogether={({ key, alike, rows: [first] }) => {
            const fits = (it: InboxApproval) =>
              outside.every(({ _id }) => _id !== it._id) && (!alike || (first !== undefined && areAlike([first, it])));
            inbox.selectAll(key, fits, () => alike && inbox.ask("batch"));
          }}
          onHeld={(id) => {
            const held = rows.find(({ _id }) => _id === id);
            if (!held || !inbox.isOpen(held)) return;
            selection.pick();
            selection.toggle(held);
          }}
          row={(approval) => (
            <Row
              key={approval._id}
              approval={approval}
              answer={answers.get(approval._id)}
              open={approval._id === current?._id}
              query={query}
              words={words}
              due={approval.triage.section === "due"}
              unread={view === "waiting" && inbox.isOpen(approval) && !inbox.seen(approval)}
              {...(inbox.isOpen(approval) ? { selected: selected.includes(approval) } : {})}
              picking={selection.picking}
              on={onRow}
            />
          )}
        />
      ) : null}
      {selected.length > 0 || selection.picking ? (
        <SelectionBar
          selected={selected}
          countOf={countOf}
          onSelectAll={inbox.selectAll}
          onAnswer={() => inbox.ask("batch")}
          onSnooze={() => inbox.ask("snooze")}
          onClear={selection.clear}
          onClose={selection.clear}
        />
      ) : null}
    </>
  );
}

type OpenQuestionProps = PartProps & Pick<InboxProps, "listAddress" | "rules" | "empty">;

/** The open question and its answers, or placeholder content if no question is open. */
export function OpenQuestion({ inbox, listAddress, rules, empty }: OpenQuestionProps) {
  const { current, next, answers, left, place, alone, choice } = inbox;
  if (!current) return <Instead>{alone ? <p className="text-muted">Loading the question…</p> : empty}</Instead>;
  return (
    <Decision
      approval={current}
      answer={answers.get(current._id)}
      place={place > 0 ? `${place} of ${upTo(9_999, left)}` : undefined}
      {...{ next, listAddress, rules, chosen: choice.chosen }}
      leaves={inbox.leaves}
      tooSoon={inbox.tooSoon}
      on={{
        answer: choice.answer,
        choose: choice.choose,
        holdBack: inbox.holdBack,
        ask: (form) => inbox.askBack(current, form),
        snooze: () => inbox.ask("snooze"),
        next() {
          if (answers.get(current._id)?.phase === "beaten") inbox.acknowledge(current);
          inbox.go(next);
        },
        seen: () => inbox.finish(current),
        back: inbox.toList,
      }}
    />
  );
}

/** The open dialog. It applies to the selected questions or to the open question. */
export function OpenDialog({ inbox }: PartProps) {
  const { dialog, ask } = inbox;
  const { selected } = inbox.selection;
  const [first, ...others] = selected;
  return (
    <>
      {dialog?.name === "snooze" ? (
        <SnoozeDialog count={selected.length || 1} onChoose={inbox.snooze} onClose={() => ask()} />
      ) : null}
      {dialog?.name === "batch" && first ? (
        <BatchDialog
          several={[first, ...others]}
          optionId={dialog.option}
          onAnswer={(form) => {
            ask();
            inbox.answerSelected(form);
          }}
          onClose={() => ask()}
        />
      ) : null}
    </>
  );
}
