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

/** A list of the owner's items with their actions. A status below announces the last removal. */
export function OwnedList({ label, children, empty }: OwnedListProps) {
  const [announcement, announce] = useReducer(
    (before: Announcement, words: string) => ({ words, turn: before.turn + 1 }),
    nothing,
  );
  return (
    <Say value={announce}>
      {Children.count(children) > 0 ? <ul {...(label && { "aria-label": label })}>{children}</ul> : empty}
      <p role="status" className={announcement.words ? "font-medium text-ink" : "sr-only"}>
        {/* With a new key, screen readers announce a repeated text again. */}
        <span key={announcement.turn}>{announcement.words}</span>
      </p>
    </Say>
  );
}

type OwnedItemProps = {
  name: React.ReactNode;
  about: React.ReactNode;
  /** The announcement after removal. */
  gone: string;
  children: React.ReactNode;
};

/** One item. If the item disappears with the focus, the page's main part takes the focus. */
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
