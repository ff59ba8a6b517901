"use client";
import { actionUrl } from "@/components/actions/send";
import { KeyButton } from "@/components/keys/shortcut";
import { Button } from "@/components/ui/button";
import type { PlacedNotification } from "./feed-rows";
import { snoozes } from "./row-actions";
import type { FeedView, TriageName } from "./types";

type ToolbarProps = {
  view: FeedView;
  rows: readonly PlacedNotification[];
  unread: number;
  beyond: boolean;
  selected: number;
  onAct: (act: TriageName) => void;
  onReadAll: (form: FormData) => void;
  onClear: () => void;
};

/** The toolbar over the rows. Its height is fixed, so that nothing below it moves. */
export function Toolbar({ view, rows, unread, beyond, selected, onAct, onReadAll, onClear }: ToolbarProps) {
  const newest = rows.reduce<PlacedNotification | undefined>(
    (top, row) => (top && (top.surfacedAt - row.surfacedAt || (top.id > row.id ? 1 : -1)) > 0 ? top : row),
    undefined,
  );
  const canReadAll = view.place === "inbox" && !view.muted && newest && (unread > 0 || rows.some(({ read }) => !read));
  const back = view.place === "done";
  return (
    <div className="mb-1 flex min-h-11 items-center gap-2 lg:min-h-10">
      {selected > 0 ? (
        <fieldset className="flex flex-wrap items-center gap-1.5">
          <legend className="sr-only">Selected notifications</legend>
          <p className="me-1 tabular-nums">{selected} selected</p>
          <KeyButton
            shortcut="e"
            description={back ? "Back to the inbox" : "Mark done"}
            size="small"
            onClick={() => onAct(back ? "back" : "done")}
          >
            {back ? "Back to the inbox" : "Done"}
          </KeyButton>
          {back ? null : (
            <Button size="small" onClick={() => onAct(snoozes[2][0])}>
              Snooze until tomorrow
            </Button>
          )}
          <Button size="small" onClick={() => onAct("read")}>
            Mark read
          </Button>
          <Button size="small" variant="quiet" onClick={onClear}>
            Clear
          </Button>
        </fieldset>
      ) : null}
      {canReadAll && selected === 0 ? (
        <form
          method="post"
          action={actionUrl("notification.read-all")}
          onSubmit={(event) => {
            event.preventDefault();
            onReadAll(new FormData(event.currentTarget));
          }}
          className="ms-auto"
        >
          <input type="hidden" name="ids" value={newest.id} />
          {view.appId ? <input type="hidden" name="appId" value={view.appId} /> : null}
          {view.type ? <input type="hidden" name="type" value={view.type} /> : null}
          {view.search ? <input type="hidden" name="search" value={view.search} /> : null}
          <Button type="submit" size="small">
            {beyond
              ? "Mark these and older read"
              : view.appId || view.type || view.search
                ? "Mark these read"
                : "Mark all read"}
          </Button>
        </form>
      ) : null}
    </div>
  );
}
