"use client";
import { InterceptActions } from "@/components/actions/action-interceptor";
import { isInDecision, isInScrolled } from "@/components/approvals/answer/focus-and-key-targets";
import { SplitView } from "@/components/approvals/split-view";
import { useKeys } from "@/components/keyboard/key-bindings";
import { KeysHeading } from "@/components/keyboard/use-shortcut";
import { listKeys } from "@/components/triage/list-shortcuts";
import { Toast } from "@/components/triage/toast";
import { upTo } from "@/lib/text/plural";
import { InboxHeader } from "./inbox-header";
import { InboxList, OpenDialog, OpenQuestion } from "./inbox-panes";
import type { InboxProps } from "./inbox-props";
import { PreserveScroll } from "./preserve-scroll";
import { type InboxState, useInbox } from "./use-inbox";
import { useRoomBeside } from "./use-open-approval";

/**
 * A list of pending, snoozed or expired questions, and the open decision. Both show side by side on
 * wide screens, and one at a time on narrow ones.
 */
export function Inbox(props: InboxProps) {
  const { view, title, listAddress, bottom, empty, rules, head } = props;
  const inbox = useInbox(props);
  const hasRoom = useRoomBeside(props.phone);
  useInboxKeys(inbox);
  const { rows, alone, news, selection, dialog } = inbox;
  const pick = () => {
    selection.pick();
    inbox.focusOn("[data-list] [data-row]");
  };
  const isSelecting = selection.selected.length > 0;
  if (dialog?.name === "batch" && !isSelecting) inbox.ask();

  return (
    <KeysHeading name="Approvals">
      <InterceptActions interceptor={inbox.perform}>
        <SplitView
          title={title}
          alone={alone}
          top={<InboxHeader {...head} onSelect={inbox.waiting.length > 0 ? pick : undefined} />}
          bottom={bottom}
          empty={empty}
          count={view === "passed" ? upTo(99, props.total) : upTo(9_999, inbox.left)}
          counted={view === "passed" ? "expired" : view}
          isEmpty={(view === "passed" ? rows : [...inbox.waiting, ...inbox.unread]).length === 0}
          list={<InboxList inbox={inbox} {...props} />}
          // While rows are selected, shortcuts must not act on the open question.
          decision={
            <div className="contents" data-keys-off={isSelecting ? "" : undefined}>
              {alone || hasRoom ? <OpenQuestion {...{ inbox, listAddress, rules, empty }} /> : null}
            </div>
          }
        >
          <Toast
            toast={news.toast}
            // The open question already shows this answer, with the same buttons.
            isCovered={inbox.inView && inbox.current !== undefined && news.toast?.about?._id === inbox.current._id}
            place="bottom-[calc(4rem+env(safe-area-inset-bottom))] sm:bottom-4 sm:ps-24 lg:ps-112 xl:ps-156"
            above="[data-decision] [data-bar]"
            onHide={news.hide}
          />
          <p role="status" className="sr-only">
            {news.said}
          </p>
          <OpenDialog {...{ inbox, rules }} />
          <PreserveScroll read={props.listed} />
        </SplitView>
      </InterceptActions>
    </KeysHeading>
  );
}

function useInboxKeys({ current, selection, choice, ...inbox }: InboxState) {
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
    ...(selection.selected[0]?.options.slice(0, 9) ?? []).map(({ id }, at) => ({
      keys: String(at + 1),
      description: "Answer all selected questions",
      run: () => choice.answerAll(id),
    })),
  ]);
}
