"use client";
import { InterceptActions } from "@/components/actions/action-interceptor";
import { isInDecision, isInScrolled } from "@/components/approvals/answer/focus";
import { SplitView } from "@/components/approvals/split-view";
import { useKeys } from "@/components/keys/keys";
import { KeysHeading } from "@/components/keys/shortcut";
import { listKeys } from "@/components/triage/list-keys";
import { Toast } from "@/components/triage/toast";
import { useFormats } from "@/components/ui/time/formats";
import { type Formats, upTo } from "@/lib/text/formats";
import { InboxList, InboxTools, OpenDialog, OpenQuestion } from "./inbox-parts";
import { PreserveScroll } from "./preserve-scroll";
import { type InboxState, useInbox } from "./use-inbox";
import { type InboxChoice, useInboxChoice, useInboxDialogs } from "./use-inbox-choice";
import { useRoomBeside } from "./use-open-approval";
import type { InboxProps } from "./use-visible-rows";

/**
 * The list of pending or snoozed questions and the open decision: side by side if there is room,
 * else one of them.
 */
export function Inbox(props: InboxProps) {
  const { view, title, query, listAddress, top, bottom, empty, rules } = props;
  const formats = useFormats();
  const dialogs = useInboxDialogs();
  const inbox = useInbox(props);
  const hasRoom = useRoomBeside(props.phone);
  const choice = useInboxChoice(inbox, dialogs);
  useInboxKeys(inbox, choice);
  const { rows, alone, news, selection } = inbox;
  const isSelecting = selection.selected.length > 0;
  if (dialogs.dialog === "batch" && !isSelecting) dialogs.show(undefined);

  return (
    <KeysHeading name="Approvals">
      <InterceptActions interceptor={inbox.perform}>
        <SplitView
          title={title}
          alone={alone}
          top={top}
          bottom={bottom}
          empty={empty}
          count={countIn(props, inbox.left, formats)}
          tools={<InboxTools waiting={inbox.waiting} selection={selection} />}
          isEmpty={(view === "passed" ? rows : [...inbox.waiting, ...inbox.unread]).length === 0}
          list={<InboxList {...{ inbox, dialogs, view, query }} />}
          // While rows are selected, no key applies to the open question alone.
          decision={
            <div className="contents" data-keys-off={isSelecting ? "" : undefined}>
              {alone || hasRoom ? <OpenQuestion {...{ inbox, dialogs, choice, listAddress, rules, empty }} /> : null}
            </div>
          }
        >
          <Toast
            toast={news.toast}
            // The open question shows its answer with the same buttons.
            isCovered={inbox.inView && inbox.current !== undefined && news.toast?.about?._id === inbox.current._id}
            place="bottom-[calc(4rem+env(safe-area-inset-bottom))] sm:bottom-4 sm:ps-24 lg:ps-112 xl:ps-156"
            above="[data-decision] [data-bar]"
            onHide={news.hide}
          />
          <p role="status" className="sr-only">
            {news.said}
          </p>
          <OpenDialog {...{ inbox, dialogs, rules }} />
          <PreserveScroll read={props.listed} />
        </SplitView>
      </InterceptActions>
    </KeysHeading>
  );
}

/** How many questions there are, in words. */
function countIn({ view, total }: InboxProps, left: number, formats: Formats): string {
  if (view === "passed") return upTo(99, total, formats);
  return `${upTo(9_999, left, formats)} ${view === "snoozed" ? "snoozed" : "waiting"}`;
}

function useInboxKeys(inbox: InboxState, { answerAll }: InboxChoice) {
  const { current, selection } = inbox;
  const open = current && inbox.isOpen(current) ? current : undefined;
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
    { keys: "e", description: "Why you can't archive", run: inbox.explain },
    ...(selection.selected[0]?.options.slice(0, 9) ?? []).map(({ id }, at) => ({
      keys: String(at + 1),
      description: "Answer all selected questions with that option",
      run: () => answerAll(id),
    })),
  ]);
}
