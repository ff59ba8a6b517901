"use client";
import { actionUrl } from "@/components/actions/send-action";
import { KeyButton } from "@/components/keyboard/use-shortcut";
import { Button } from "@/components/ui/button";
import type { TriageName } from "./feed-notification";
import type { FeedView } from "./feed-view";
import { snoozes } from "./row-actions";
import type { PlacedNotification } from "./use-feed-rows";

type SelectionProps = {
  count: number;
  isDone: boolean;
  onAct: (act: TriageName) => void;
  onClear: () => void;
};

/** The actions for the selected rows, at the end of the heading's line. */
export const Selection = ({ count, isDone, onAct, onClear }: SelectionProps) => (
  <fieldset className="flex flex-wrap items-center gap-1">
    <legend className="sr-only">Selected notifications</legend>
    <p className="me-1 tabular-nums">{count} selected</p>
    <KeyButton
      shortcut="e"
      description={isDone ? "Move to the inbox" : "Mark as done"}
      cap={false}
      size="small"
      variant="quiet"
      onClick={() => onAct(isDone ? "back" : "done")}
    >
      {isDone ? "Move to the inbox" : "Mark as done"}
    </KeyButton>
    {isDone ? null : (
      <Button size="small" variant="quiet" onClick={() => onAct(snoozes[2][0])}>
        Snooze until tomorrow
      </Button>
    )}
    <Button size="small" variant="quiet" onClick={() => onAct("read")}>
      Mark as read{" "}
    </Button>
    <Button size="small" variant="quiet" onClick={onClear}>
      Clear
    </Button>
  </fieldset>
);

type ReadAllProps = {
  view: FeedView;
  rows: readonly PlacedNotification[];
  unread: number;
  beyond: boolean;
  onReadAll: (form: FormData) => void;
};

/** Marks this view's notifications as read, up to its newest row. */
export function ReadAll({ view, rows, unread, beyond, onReadAll }: ReadAllProps) {
  const { place, appId, type, search, muted } = view;
  const newest = rows.reduce<PlacedNotification | undefined>(
    (top, row) => (top && (top.surfacedAt - row.surfacedAt || (top.id > row.id ? 1 : -1)) > 0 ? top : row),
    undefined,
  );
  if (place !== "inbox" || muted || !newest || (unread === 0 && rows.every(({ read }) => read))) return null;
  const label = beyond
    ? "Mark this page and older pages as read"
    : appId || type || search
      ? "Mark all results as read"
      : "Mark all as read";
  return (
    <form
      method="post"
      action={actionUrl("notification.read-all")}
      onSubmit={(event) => {
        event.preventDefault();
        onReadAll(new FormData(event.currentTarget));
      }}
    >
      {Object.entries({ ids: newest.id, appId, type, search }).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      <Button type="submit" size="small" variant="quiet">
        {label}
      </Button>
    </form>
  );
}
