"use client";
import { useEffect, useRef, useState } from "react";
import { useSingleKeys } from "@/components/keyboard/single-key-preference";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { BackIcon } from "@/components/ui/icons";
import { SkipLink } from "@/components/ui/link";
import { useHydrated } from "@/components/ui/use-hydrated";

type PanesProps = {
  title: string;
  /** The number of questions, and their status: "waiting". */
  count?: string;
  counted?: string;
  /** Whether the decision fills the screen on a phone. */
  alone: boolean;
  /** The content above and below the rows. */
  top: React.ReactNode;
  bottom: React.ReactNode;
  list: React.ReactNode;
  isEmpty: boolean;
  /** Replaces the rows if there are none. */
  empty: React.ReactNode;
  decision: React.ReactNode;
  /** Overlays. */
  children?: React.ReactNode;
};

/**
 * A list and the open decision. Both show side by side on wide screens, and one at a time on narrow
 * ones.
 */
export function SplitView({
  title,
  count,
  counted,
  alone,
  top,
  bottom,
  list,
  isEmpty,
  empty,
  decision,
  children,
}: PanesProps) {
  const heading = useArrivalFocus();
  return (
    <div
      className="lg:grid lg:grid-cols-[22rem_minmax(0,1fr)] xl:grid-cols-[25rem_minmax(0,1fr)]"
      data-keys={useSingleKeys() ? "on" : "off"}
    >
      {isEmpty ? null : (
        <SkipLink href="#question" className={alone ? "" : "max-lg:hidden"}>
          Skip to the question
        </SkipLink>
      )}
      {/* On narrow screens, an open decision hides the list and its heading. Screen readers
          still get this one. */}
      {alone ? <h1 className="sr-only lg:hidden">{title}</h1> : null}
      <section
        aria-label={title}
        data-list
        className={`flex-col border-line max-sm:min-h-[calc(100dvh-4.5rem-env(safe-area-inset-bottom))] sm:min-h-dvh lg:sticky lg:top-0 lg:flex lg:h-dvh lg:overflow-y-auto lg:border-e ${alone ? "hidden" : "flex"}`}
      >
        <header className="gutter relative pt-4 pb-1">
          {/* Leaves room for the search and filter icons at the end of the line. */}
          <div className="flex min-h-9 items-center pe-24">
            <div className="flex flex-wrap items-baseline gap-x-2.5">
              <h1 ref={heading} tabIndex={-1} className="text-lg wrap-normal outline-none">
                {title}
              </h1>
              {count === undefined ? null : (
                <p className="text-lg leading-none wrap-normal text-muted tabular-nums">
                  {count}
                  <span className="sr-only"> {counted}</span>
                </p>
              )}
            </div>
          </div>
          {top}
        </header>
        {list}
        {isEmpty ? (
          <div ref={shouldKeepFocus} data-empty className="px-4 py-4 lg:hidden">
            {empty}
          </div>
        ) : null}
        {bottom}
      </section>
      <section aria-label="Decision" data-alone={alone || undefined} className={alone ? "" : "max-lg:hidden"}>
        {decision}
      </section>
      {children}
    </div>
  );
}

/** When one list replaces another that had the focus, moves the focus to the new list's heading. */
function useArrivalFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [replaces] = useState(useHydrated());
  useEffect(() => {
    if (replaces && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [replaces]);
  return heading;
}

type BackToListProps = { href: string; onBack: () => void; children: React.ReactNode };

/** The link from a full-page decision to the list. */
export const BackToList = ({ href, onBack, children }: BackToListProps) => (
  <a
    href={href}
    onClick={(event) => {
      event.preventDefault();
      onBack();
    }}
    className="inline-flex size-11 items-center justify-center rounded-lg text-muted hover:bg-fill hover:text-ink lg:hidden"
  >
    <BackIcon />
    <span className="sr-only">{children}</span>
  </a>
);

/** Replaces the decision if none is open. */
export const Instead = ({ children }: { children: React.ReactNode }) => (
  <div ref={shouldKeepFocus} data-empty className="mx-auto max-w-[46rem] px-6 py-10">
    {children}
  </div>
);
