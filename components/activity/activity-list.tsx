"use client";
import { useState } from "react";
import { useRowKeys } from "@/components/keyboard/row-keys";
import { useHydrated } from "@/components/ui/use-hydrated";

/** A row rendered on the server, with its day heading ("Today"). */
export type DayRow = { id: string; day: string; row: React.ReactNode };

type ActivityListProps = {
  rows: DayRow[];
  /** Whether this is the first page. New rows arrive only there. */
  newest: boolean;
};

/**
 * Activity rows grouped by day. Unless live updates are on, new rows wait behind a button above the
 * list, so that nothing moves while someone reads.
 */
export function ActivityList({ rows, newest }: ActivityListProps) {
  const [held, setHeld] = useState(rows);
  const [follows, setFollows] = useState(false);
  const alive = useHydrated();
  useRowKeys("Activity", "entry");
  const shown = follows || !newest || held.length === 0 ? rows : held;
  const before = rows.findIndex(({ id }) => id === shown[0]?.id);
  const more = before < 0 ? rows.length : before;
  const fresh = `${more}${before < 0 ? " or more" : ""} new`;
  return (
    <>
      {newest && alive ? (
        <div className="relative z-1 flex min-h-11 flex-wrap items-center justify-end gap-x-4 gap-y-1 -mb-11 sm:-mb-9 sm:min-h-9">
          <label className="flex min-h-11 items-center gap-2 text-muted sm:min-h-9">
            <input
              type="checkbox"
              checked={follows}
              onChange={({ target }) => {
                setFollows(target.checked);
                setHeld(rows);
              }}
              className="size-5 accent-ink"
            />
            Live updates
          </label>
          {more > 0 ? (
            <button
              type="button"
              onClick={() => setHeld(rows)}
              className="min-h-11 rounded-full bg-ink px-4 font-medium text-on-ink tabular-nums hover:bg-ink-hover sm:min-h-9"
            >
              {fresh}
              <span className="sr-only">: show the entries</span>
            </button>
          ) : null}
          <p role="status" className="sr-only">
            {more > 0 ? `${fresh} ${more === 1 ? "entry" : "entries"}` : ""}
          </p>
        </div>
      ) : null}
      {byDay(shown).map(([day, its]) => (
        <section key={day} aria-label={day} className="mb-2">
          <h2 className="flex min-h-11 items-center text-xs font-semibold text-muted sm:min-h-9">{day}</h2>
          <ul className="-mx-3">{its.map(({ row }) => row)}</ul>
        </section>
      ))}
    </>
  );
}

function byDay(rows: DayRow[]): [day: string, rows: DayRow[]][] {
  const days = new Map<string, DayRow[]>();
  for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row]);
  return [...days];
}
