"use client";
import { openDialog } from "@/components/keys/open";
import { useSingleKeys } from "@/components/keys/single-keys";
import { ConnectionDot } from "@/components/live/connection-dot";
import { Button } from "@/components/ui/button";
import { Decision } from "./decision";
import { Row } from "./row";
import { Troubles } from "./troubles";
import type { Asked, Ending, PostAnswer, SendAnswer } from "./types";
import { useInbox } from "./use-inbox";
import { useInboxKeys } from "./use-keys";

export type InboxProps = {
  /** The rows of this page of the list. */
  listed: Asked[];
  /** The decision that the address names, when it may not be among the rows. */
  extra?: Asked | undefined;
  /** Its id. */
  opened?: string | undefined;
  /** What ended lately. */
  endings: Ending[];
  /** How many wait in all, at most 100; absent in the history. */
  total?: number | undefined;
  title: string;
  /** What the address of a decision keeps of the list's: "" or "?app=…". */
  query: string;
  listAddress: string;
  /** Tabs and filters above the rows, paging below them, and what to show where there is nothing. */
  top: React.ReactNode;
  bottom: React.ReactNode;
  empty: React.ReactNode;
  send: SendAnswer;
  post: PostAnswer;
};

/** The list and the open decision: side by side where there is room, else one of them. */
export function Inbox(props: InboxProps) {
  const { title, query, listAddress, top, bottom, empty, post, total } = props;
  const inbox = useInbox(props);
  const { rows, current, next, sent, left, place, alone } = inbox;
  const isHistory = total === undefined;
  useInboxKeys({
    move: inbox.move,
    choose: (at) => {
      const button = document.querySelectorAll<HTMLButtonElement>("[data-decision] button[name=optionId]")[at];
      button?.form?.requestSubmit(button);
    },
    unfold: (key) => {
      const summary = document.querySelector<HTMLElement>(`[data-decision] summary[data-key=${key}]`);
      if (summary?.closest("details")?.open) summary.closest("details")?.querySelector("textarea")?.focus();
      else summary?.click();
    },
    back: inbox.back,
  });
  const Title = alone ? "h2" : "h1";
  return (
    <div
      className="lg:grid lg:grid-cols-[22rem_minmax(0,1fr)] xl:grid-cols-[25rem_minmax(0,1fr)]"
      data-keys={useSingleKeys() ? "on" : "off"}
    >
      <section
        aria-label={title}
        data-list
        className={`flex-col border-line bg-surface max-sm:min-h-[calc(100dvh-4.5rem-env(safe-area-inset-bottom))] sm:min-h-dvh lg:sticky lg:top-0 lg:flex lg:h-dvh lg:overflow-y-auto lg:border-r ${alone ? "hidden" : "flex"}`}
      >
        <header className="px-4 pt-4 pb-3">
          <div className="flex min-h-9 items-center justify-between gap-3">
            <div className="flex items-baseline gap-2.5">
              <Title tabIndex={-1} className="text-lg outline-none">
                {title}
              </Title>
              {isHistory ? null : <p className="text-muted tabular-nums">{count(left)} waiting</p>}
            </div>
            <div className="flex items-center gap-2">
              <ConnectionDot />
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
            </div>
          </div>
          {top}
        </header>
        {rows.length > 0 ? (
          <ul className="border-t border-line">
            {rows.map((asked) => (
              <Row
                key={asked._id}
                asked={asked}
                sent={sent.get(asked._id)}
                open={asked._id === current?._id}
                query={query}
                waiting={!isHistory}
                onOpen={() => inbox.open(asked)}
              />
            ))}
          </ul>
        ) : null}
        {(isHistory ? rows : inbox.waiting).length === 0 ? (
          <div data-empty className="px-4 py-4 lg:hidden">
            {empty}
          </div>
        ) : null}
        {bottom}
      </section>
      <section aria-label="Decision" className={alone ? "" : "max-lg:hidden"}>
        <Troubles sent={sent} current={current} onOpen={inbox.go} />
        {current ? (
          <Decision
            asked={current}
            sent={sent.get(current._id)}
            alone={alone}
            place={place > 0 ? `${place} of ${count(left)}` : undefined}
            next={next}
            listAddress={listAddress}
            post={post}
            onAnswer={(form) => inbox.give(current, form)}
            onNext={() => inbox.go(next)}
            onBack={inbox.toList}
          />
        ) : (
          <div data-empty className="mx-auto max-w-[46rem] px-6 py-10">
            {empty}
          </div>
        )}
      </section>
      <p role="status" className="sr-only">
        {inbox.said}
      </p>
    </div>
  );
}

const count = (waiting: number) => (waiting > 99 ? "99+" : waiting);
