"use client";
import { useEffect, useState } from "react";
import { InterceptActions } from "@/components/actions/action-interceptor";
import { isInDecision, isInScrolled } from "@/components/approvals/answer/focus";
import { Decision } from "@/components/approvals/decision/decision";
import { Instead, SplitView } from "@/components/approvals/split-view";
import { areAlike, type InboxApproval } from "@/components/approvals/types";
import { awaitDialog, useKeys } from "@/components/keys/keys";
import { openDialog } from "@/components/keys/open";
import { KeysHeading } from "@/components/keys/shortcut";
import { listKeys } from "@/components/triage/list-keys";
import { Toast } from "@/components/triage/toast";
import { useLatest } from "@/components/triage/use-latest";
import { Button } from "@/components/ui/button";
import { useFormats } from "@/components/ui/time/formats";
import { upTo } from "@/lib/text/formats";
import { BatchDialog, SnoozeDialog } from "./dialogs";
import { FailedAnswers } from "./failed-answers";
import { PreserveScroll } from "./preserve-scroll";
import { Row } from "./row";
import { Rows, SelectionBar, unlike } from "./rows";
import { useInbox } from "./use-inbox";
import { useRoomBeside } from "./use-open-approval";
import type { InboxProps } from "./use-visible-rows";

/**
 * The list of pending or snoozed questions and the open decision: side by side if there is room,
 * else one of them.
 */
export function Inbox(props: InboxProps) {
  const { view, title, query, listAddress, top, bottom, empty, rules } = props;
  const [dialog, setDialog] = useState<"snooze" | "batch">();
  const [forAll, setForAll] = useState<string>();
  const showDialog = (which?: "snooze" | "batch", optionId?: string) => {
    awaitDialog(which !== undefined);
    setForAll(optionId);
    setDialog(which);
  };
  useEffect(() => () => awaitDialog(false), []);
  const [choice, setChoice] = useState<{ id: string; optionId: string }>();
  const formats = useFormats();
  const inbox = useInbox(props);
  const { rows, current, next, answers, left, place, alone, news } = inbox;
  const { selected, ...selection } = inbox.selection;
  const hasRoom = useRoomBeside(props.phone);
  const chosen = choice?.id === current?._id ? choice?.optionId : undefined;
  const [first, ...others] = selected;
  /** With a selection, an option or its key applies to all selected questions. */
  const answerAll = (optionId: string | undefined) => {
    if (!areAlike(selected)) return news.notify(unlike(selected));
    if (first?.options.some(({ id }) => id === optionId)) showDialog("batch", optionId);
  };
  const choose = (optionId: string) => {
    if (first) answerAll(optionId);
    if (first || !current || !inbox.counts()) return false;
    setChoice({ id: current._id, optionId });
    return true;
  };
  const open = current && inbox.isOpen(current) ? current : undefined;
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
    { keys: "e", says: "Why you can't archive", run: inbox.explain },
    ...(first?.options.slice(0, 9) ?? []).map(({ id }, at) => ({
      keys: String(at + 1),
      says: "Answer all selected questions with that option",
      run: () => answerAll(id),
    })),
  ]);
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
    <KeysHeading name="Approvals">
      <InterceptActions by={inbox.perform}>
        <SplitView
          title={title}
          alone={alone}
          top={top}
          bottom={bottom}
          empty={empty}
          count={
            view === "passed"
              ? upTo(99, props.total, formats)
              : `${upTo(9_999, left, formats)} ${view === "snoozed" ? "snoozed" : "waiting"}`
          }
          tools={
            <>
              {inbox.waiting.length > 0 && !selection.picking ? (
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
          }
          isEmpty={(view === "passed" ? rows : [...inbox.waiting, ...inbox.unread]).length === 0}
          list={
            <>
              <FailedAnswers
                answers={answers}
                current={inbox.inView ? current : undefined}
                onOpen={inbox.go}
                onSeen={inbox.acknowledge}
              />
              <SelectionBar
                selected={selected}
                picking={selection.picking}
                countOf={inbox.countOf}
                onSelectAll={inbox.selectAll}
                onAnswer={() => showDialog("batch")}
                onSnooze={() => showDialog("snooze")}
                onClear={selection.clear}
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
            </>
          }
          // While rows are selected, no key applies to the open question alone.
          decision={
            <div className="contents" data-keys-off={first && ""}>
              {!alone && !hasRoom ? null : current ? (
                <Decision
                  approval={current}
                  answer={answers.get(current._id)}
                  place={place > 0 ? `${place} of ${upTo(9_999, left, formats)}` : undefined}
                  {...{ next, listAddress, rules, chosen }}
                  tooSoon={inbox.tooSoon}
                  on={{
                    answer(form) {
                      if (!first) inbox.answer(current, form);
                      else if (form.has("optionId")) answerAll(String(form.get("optionId")));
                      else news.notify("Clear the selection first. A written answer applies to one question");
                    },
                    choose,
                    holdBack: inbox.holdBack,
                    ask: (form) => inbox.askBack(current, form),
                    snooze: () => showDialog("snooze"),
                    next() {
                      if (answers.get(current._id)?.phase === "beaten") inbox.acknowledge(current);
                      inbox.go(next);
                    },
                    back: inbox.toList,
                  }}
                />
              ) : (
                <Instead>{alone ? <p className="text-muted">Loading the question…</p> : empty}</Instead>
              )}
            </div>
          }
        >
          <Toast
            toast={news.toast}
            place="bottom-[calc(4rem+env(safe-area-inset-bottom))] sm:bottom-4 sm:ps-24 lg:ps-112 xl:ps-156"
            above="[data-decision] [data-bar]"
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
              optionId={forAll}
              onAnswer={(form) => {
                showDialog(undefined);
                inbox.answerSelected(form);
              }}
              onClose={() => showDialog(undefined)}
            />
          ) : null}
          <PreserveScroll read={props.listed} />
        </SplitView>
      </InterceptActions>
    </KeysHeading>
  );
}
