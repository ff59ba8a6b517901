"use client";
import { memo } from "react";
import { useShortcut } from "@/components/keys/shortcut";
import type { PlacedNotification } from "./feed-rows";
import { RowActions } from "./row-actions";
import { RowLine } from "./row-line";
import { RowText } from "./row-text";
import type { TriageName } from "./types";

type FeedRowProps = {
  notification: PlacedNotification;
  /**
   * Whether keys act on this row; `done` for the Done key, which otherwise acts on the
   * selection.
   */
  current: boolean;
  done: boolean;
  selected: boolean;
  opened: boolean;
  on: {
    act: (act: TriageName, notification: PlacedNotification) => void;
    open: (notification: PlacedNotification) => void;
    here: (notification: PlacedNotification) => void;
    select: (notification: PlacedNotification) => void;
  };
};

/** One notification: its line, and its text when opened. Opening marks it read. */
export const FeedRow = memo(function FeedRow({ notification, current, done, selected, opened, on }: FeedRowProps) {
  const { id, slot, title, read, link } = notification;
  const line = useShortcut<HTMLElement>(
    current ? { shortcut: "Enter", description: "Open or close" } : {},
    openOrClose,
  );
  const away = useShortcut<HTMLAnchorElement>(
    current && link ? { shortcut: "o", description: "Open the link in a new tab" } : {},
  );
  return (
    <li
      data-slot={slot}
      data-current={current || undefined}
      className={`group/row relative flex flex-wrap items-start border-b border-s-3 border-line border-s-transparent first:rounded-t-xl last:rounded-b-xl last:border-b-0 data-current:border-s-ink hover:bg-fill sm:flex-nowrap ${selected ? "bg-fill" : read ? "bg-raised" : "bg-pane"}`}
      onFocus={() => on.here(notification)}
    >
      <label
        className={`absolute top-3 inset-s-4 z-1 flex size-8 items-center justify-center rounded-lg bg-raised focus-within:opacity-100 pointer-coarse:hidden ${selected ? "" : "opacity-0 sm:hover:opacity-100"}`}
      >
        <input
          type="checkbox"
          checked={selected}
          onChange={() => on.select(notification)}
          className="size-5 accent-ink"
        />
        <span className="sr-only">Select: {title}</span>
      </label>
      <details
        data-told
        open={opened}
        className="group/told min-w-0 grow basis-0 max-sm:open:basis-full"
        onToggle={(event) => {
          if (event.currentTarget.open) on.open(notification);
        }}
      >
        <summary
          data-row={id}
          {...line}
          {...(current ? { "aria-current": "true" as const } : {})}
          className="flex min-h-16 items-start gap-3 px-4 py-3 -outline-offset-2"
        >
          <RowLine notification={notification} />
        </summary>
        <RowText notification={notification} away={away} />
      </details>
      <RowActions
        notification={notification}
        current={current}
        done={done}
        onAct={(act) => on.act(act, notification)}
      />
    </li>
  );
});

/** Outside a row, Enter belongs to the focused element. */
function openOrClose(line: HTMLElement, { target }: KeyboardEvent) {
  if (target instanceof Element && target.closest("a, button, summary, input")) return false;
  const fold = line.closest("details");
  if (fold) fold.open = !fold.open;
}
