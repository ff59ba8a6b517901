"use client";
import { useFlashOf } from "@/components/actions/flash-context";
import { useSingleKeys } from "@/components/keyboard/single-key-preference";
import { KeysHeading } from "@/components/keyboard/use-shortcut";
import { Page } from "@/components/layout/page";
import type { Step } from "./feed-notification";
import { FeedRow } from "./feed-row";
import { NewRows, NotSaved, UndoToast } from "./feed-status-messages";
import { ReadAll, Selection } from "./selection-toolbar";
import { type FeedOptions, useFeed } from "./use-feed";
import { sectionsOf } from "./use-feed-rows";

export type FeedProps = FeedOptions & {
  /**
   * The inbox's unread count. It is 0 on the page of a single notification and after the list's
   * first page.
   */
  unread: number;
  /** Whether an earlier page has newer notifications. */
  beyond: boolean;
  /** The start of the owner's day, in epoch milliseconds. */
  today: number;
  head: Omit<React.ComponentProps<typeof Page>, "actions" | "children">;
  /**
   * The filters and notices above the rows, the pagination below the rows, and the message if there
   * are no rows.
   */
  above: React.ReactNode;
  below: React.ReactNode;
  empty: React.ReactNode;
};

/** The page of rows and their actions, for pointer, touch and keyboard. */
export function Feed(props: FeedProps) {
  const { opened, view, unread, beyond, today, head, above, below, empty } = props;
  const { rows, list, current, selected, selection, triaging, said, act, on, reveal } = useFeed(props);
  const { trouble, last, undo } = triaging;
  // The result of a form that was sent without scripts.
  const posted = useFlashOf("notification")?.result;
  const step = last ?? (posted?.ok ? stepOf(posted.value as Partial<Step> | undefined) : undefined);
  const failed = trouble?.message ?? (posted && !posted.ok ? posted.message : undefined);
  const actions =
    selected.length > 0 ? (
      <Selection
        count={selected.length}
        isDone={view.place === "done"}
        onAct={(name) => act(name, selected)}
        onClear={selection.clear}
      />
    ) : (
      <ReadAll
        {...{ view, unread, beyond }}
        rows={rows.rows}
        onReadAll={(form) => triaging.act("read-all", rows.rows, { form })}
      />
    );
  return (
    <KeysHeading name="Notifications">
      <Page {...head} actions={actions}>
        {above}
        <div data-feed data-keys={useSingleKeys() ? "on" : "off"}>
          <NewRows count={rows.held.length} isSelecting={selected.length > 0} onReveal={reveal} />
          {failed ? <NotSaved why={failed} again={trouble?.again} /> : null}
          <div ref={list} className="relative -mx-3">
            {sectionsOf(rows.rows, today).map(({ name, rows }) => (
              <section key={name} {...(name && { "aria-label": name })}>
                {name ? (
                  <h2 className="min-h-9 content-end px-3 pb-1 text-xs font-semibold text-muted">{name}</h2>
                ) : null}
                <ul>
                  {rows.map((row) => (
                    <FeedRow
                      key={row.slot}
                      notification={row}
                      current={row === current}
                      done={row === current && selected.length === 0}
                      selected={selected.includes(row)}
                      opened={row.id === opened}
                      on={on}
                    />
                  ))}
                </ul>
              </section>
            ))}
          </div>
          {rows.rows.length === 0 ? <div data-empty>{empty}</div> : null}
          <UndoToast step={step} undo={last && undo} />
          <p role="status" className="sr-only">
            {said}
          </p>
        </div>
        {below}
      </Page>
    </KeysHeading>
  );
}

const stepOf = ({ undo, words = "" }: Partial<Step> = {}) => undo && { undo, words, key: 0 };
