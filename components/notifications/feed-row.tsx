"use client";
import { memo } from "react";
import { useShortcut } from "@/components/keyboard/use-shortcut";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import type { TriageName } from "./feed-notification";
import { NotificationBody } from "./notification-body";
import { NotificationSummary } from "./notification-summary";
import { RowActions } from "./row-actions";
import type { PlacedNotification } from "./use-feed-rows";

type FeedRowProps = {
  notification: PlacedNotification;
  /**
   * `current` is whether shortcuts act on this row. `done` is whether the Done key is bound to this
   * row; while rows are selected, the key acts on the selection instead.
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

/**
 * One notification: a line that expands to its text and actions. Opening a notification marks it as
 * read.
 */
export const FeedRow = memo(function FeedRow({ notification, current, done, selected, opened, on }: FeedRowProps) {
  const { id, slot, title, link } = notification;
  const line = useShortcut<HTMLElement>(
    current ? { shortcut: "Enter", description: "Open or close the notification" } : {},
    openOrClose,
  );
  const away = useShortcut<HTMLAnchorElement>(
    current && link ? { shortcut: "o", description: "Open the link in a new tab" } : {},
  );
  return (
    <li
      ref={shouldKeepFocus}
      data-slot={slot}
      data-current={current || undefined}
      className={`group/row relative rounded-lg hover:bg-fill pointer-fine:data-current:bg-fill ${selected ? "bg-fill" : ""}`}
      onFocus={() => on.here(notification)}
    >
      <label
        className={`absolute top-2 inset-s-2.5 z-1 flex size-8 items-center justify-center rounded-lg bg-fill focus-within:opacity-100 pointer-coarse:hidden ${selected ? "" : "opacity-0 sm:hover:opacity-100"}`}
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
        className="group/told"
        onToggle={(event) => {
          if (event.currentTarget.open) on.open(notification);
        }}
      >
        <summary
          data-row={id}
          {...line}
          {...(current ? { "aria-current": "true" as const } : {})}
          className="flex min-h-14 items-center gap-3 rounded-lg px-3 py-2 -outline-offset-2 max-sm:pe-14 pointer-coarse:pe-14 sm:min-h-12"
        >
          <NotificationSummary notification={notification} />
        </summary>
        <NotificationBody notification={notification} away={away} />
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

/**
 * Opens or closes the notification. Returns false if another control has the focus, because that
 * control handles Enter itself.
 */
function openOrClose(line: HTMLElement, { target }: KeyboardEvent) {
  if (target instanceof Element && target.closest("a, button, summary, input")) return false;
  const fold = line.closest("details");
  if (fold) fold.open = !fold.open;
}
