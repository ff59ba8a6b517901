"use client";
import { useEffect, useState } from "react";
import { Performs } from "@/components/acts/performer";
import { isInDecision, isInScrolled } from "@/components/approvals/answer/in-decision";
import { Decision } from "@/components/approvals/decision/decision";
import { SelectionBar } from "@/components/approvals/list/rows";
import { Instead, Panes } from "@/components/approvals/panes";
import type { InboxApproval } from "@/components/approvals/types";
import { awaitDialog, useKeys } from "@/components/keys/keys";
import { openDialog } from "@/components/keys/open";
import { KeysHeading } from "@/components/keys/shortcut";
import { listKeys } from "@/components/triage/list-keys";
import { Toast } from "@/components/triage/toast";
import { useLatest } from "@/components/triage/use-latest";
import { Button } from "@/components/ui/button";
import { BatchDialog, SnoozeDialog } from "./dialogs";
import { Row } from "./row";
import { Rows } from "./rows";
import { Troubles } from "./troubles";
import { useInbox } from "./use-inbox";
import { useRoomBeside } from "./use-open-approval";
import type { InboxProps } from "./use-shown";

/** The list of what waits, or is put off, and the open decision: side by side where there is room, else one of them. */
export function Inbox(props: InboxProps) {
  const { view, title, query, listAddress, top, bottom, empty, rules } = props;
  const [dialog, setDialog] = useState<"snooze" | "batch">();
  const showDialog = (which?: "snooze" | "batch") => {
    awaitDialog(which !== undefined);
    setDialog(which);
  };
  useEffect(() => () => awaitDialog(false), []);
  const [choice, setChoice] = useState<{ id: string; optionId: string }>();
  const inbox = useInbox(props);
  const { rows, current, next, answers, left, place, alone, news } = inbox;
  const { selected, ...selection } = inbox.selection;
  const beside = useRoomBeside(props.phone);
  const chosen = choice?.id === current?._id ? choice?.optionId : undefined;
  const choose = (optionId: string) => {
    if (!current || !inbox.isArmed()) return false;
    setChoice({ id: current._id, optionId });
    return true;
  };
  const open = current && inbox.isOpen(current) ? current : undefined;
  const [first, ...others] = selected;
  if (dialog === "batch" && !first) showDialog(undefined);

  useKeys("Approvals", [
    ...listKeys({
      noun: "question",
      move: inbox.move,
      isReading: isInDecision,
      select: () => open && selection.toggle(open),
      mark: inbox.mark,
      undo: inbox.undoLast,
      leave: inbox.back,
    }),
    {
      keys: "ArrowLeft",
      run: (event) => (isInDecision(event) && !isInScrolled(event) ? inbox.back() : false),
    },
    { keys: "e", says: "Why there is no archive", run: inbox.explain },
  ]);
  const onRow = useLatest({
    select: selection.toggle,
    open: inbox.open,
    undo: (approval: InboxApproval) => inbox.undo([approval]),
  });
  const troubles = (open: InboxApproval | undefined) => (
    <Troubles
      answers={answers}
      overtaken={props.overtaken}
      current={open}
      onOpen={inbox.go}
      onSeen={(approval) => inbox.mark(true, approval)}
    />
  );
  return (
    <KeysHeading name="Approvals">
      <Performs by={inbox.perform}>
        <Panes
          title={title}
          alone={alone}
          top={top}
          bottom={bottom}
          empty={empty}
          count={
            view === "passed" ? upTo99(props.total) : `${upTo99(left)} ${view === "snoozed" ? "snoozed" : "waiting"}`
          }
          tools={
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
          }
          isEmpty={(view === "passed" ? rows : inbox.waiting).length === 0}
          list={
            <>
              {/* Where the list stands alone. */}
              {alone ? null : <div className="pb-3 lg:hidden">{troubles(undefined)}</div>}
              <SelectionBar
                selected={selected}
                onAnswer={() => showDialog("batch")}
                onSnooze={() => showDialog("snooze")}
                onClear={selection.clear}
              />
              {rows.length > 0 ? (
                <Rows
                  blocks={inbox.blocks}
                  current={current}
                  onFold={inbox.setFold}
                  row={(approval) => (
                    <Row
                      key={approval._id}
                      approval={approval}
                      answer={answers.get(approval._id)}
                      open={approval._id === current?._id}
                      query={query}
                      unread={view === "waiting" && inbox.isOpen(approval) && !inbox.seen(approval)}
                      {...(inbox.isOpen(approval) ? { selected: selected.includes(approval) } : {})}
                      on={onRow}
                    />
                  )}
                />
              ) : null}
            </>
          }
          decision={
            <>
              {troubles(current)}
              {!alone && !beside ? null : current ? (
                <Decision
                  approval={current}
                  answer={answers.get(current._id)}
                  place={place > 0 ? `${place} of ${upTo99(left)}` : undefined}
                  {...{ next, listAddress, rules, chosen }}
                  on={{
                    answer: (form) => inbox.answer(current, form),
                    choose,
                    holdBack: inbox.holdBack,
                    ask: (form) => inbox.askBack(current, form),
                    snooze: () => showDialog("snooze"),
                    next: () => inbox.go(next),
                    back: inbox.toList,
                  }}
                />
              ) : (
                <Instead>{alone ? <p className="text-muted">Loading the question…</p> : empty}</Instead>
              )}
            </>
          }
        >
          <Toast
            toast={news.toast}
            place="top-2 sm:inset-s-26 lg:top-auto lg:inset-e-auto lg:bottom-2 lg:w-[21rem] xl:inset-s-58 xl:w-[24rem]"
            onHide={news.hide}
          />
          <p role="status" className="sr-only">
            {news.said}
          </p>
          {dialog === "snooze" ? (
            <SnoozeDialog
              offers={rules.snoozes}
              count={selected.length || 1}
              onChoose={inbox.snooze}
              onClose={() => showDialog(undefined)}
            />
          ) : null}
          {dialog === "batch" && first ? (
            <BatchDialog
              several={[first, ...others]}
              onAnswer={(form) => {
                showDialog(undefined);
                inbox.answerSelected(form);
              }}
              onClose={() => showDialog(undefined)}
            />
          ) : null}
        </Panes>
      </Performs>
    </KeysHeading>
  );
}

const upTo99 = (waiting: number) => (waiting > 99 ? "99+" : waiting);
