"use client";
import { Children, createContext, useContext, useEffect, useReducer, useRef } from "react";
import { useKeptFocus } from "./use-focus-after-unmount";

type Announcement = { words: string; turn: number };
const nothing: Announcement = { words: "", turn: 0 };
const Say = createContext<(words: string) => void>(() => {});

type OwnedListProps = {
  label?: string;
  children: React.ReactNode;
  /** Shown instead of an empty list. */
  empty?: React.ReactNode;
};

/** The number of items that a long list shows at first. */
const shown = 3;

/**
 * A list of the owner's items with their actions. A long list shows its first three items and a
 * button for the others. A status message below the list announces the last removal.
 */
export function OwnedList({ label, children, empty }: OwnedListProps) {
  const [announcement, announce] = useReducer(
    (before: Announcement, words: string) => ({ words, turn: before.turn + 1 }),
    nothing,
  );
  const count = Children.count(children);
  return (
    <Say value={announce}>
      {count > 0 ? (
        <div>
          {/* CSS hides the other items, because a move to another list would count as a removal. */}
          <ul
            {...(label && { "aria-label": label })}
            className="[&:has(+details:not([open]))>li:nth-child(n+4)]:hidden"
          >
            {children}
          </ul>
          {count > shown ? (
            <details className="group/rest">
              <summary className="link inline-flex min-h-11 items-center font-medium sm:min-h-10">
                <span className="group-open/rest:hidden">Show {count - shown} more</span>
                <span className="hidden group-open/rest:inline">Show fewer</span>
              </summary>
            </details>
          ) : null}
        </div>
      ) : (
        empty
      )}
      <p role="status" className={announcement.words ? "font-medium text-ink" : "sr-only"}>
        {/* The new key makes screen readers announce a repeated text again. */}
        <span key={announcement.turn}>{announcement.words}</span>
      </p>
    </Say>
  );
}

type OwnedItemProps = {
  name: React.ReactNode;
  about: React.ReactNode;
  /** The text that is announced after the item is removed. */
  gone: string;
  children: React.ReactNode;
};

/**
 * One item. If the item disappears while it has the focus, the focus moves to the page's main
 * content.
 */
export function OwnedItem({ name, about, gone, children }: OwnedItemProps) {
  const row = useRef<HTMLLIElement>(null);
  const announce = useContext(Say);
  useKeptFocus();
  useEffect(() => {
    const there = row.current;
    return () => void (there?.isConnected || announce(gone));
  }, [gone, announce]);
  return (
    <li ref={row} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 sm:flex-nowrap">
      <div className="min-w-0 grow basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium">{name}</p>
        <p className="text-muted">{about}</p>
      </div>
      {children}
    </li>
  );
}
