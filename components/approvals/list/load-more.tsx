"use client";
import { useEffect, useRef } from "react";
import { inboxUrl } from "@/components/approvals/inbox-url";
import { ButtonLink } from "@/components/ui/styled-links";
import type { ApprovalFilter } from "@/lib/approvals/schema";
import { countText } from "@/lib/text/plural";
import { useGrow } from "./use-open-approval";

type MoreProps = {
  filter: ApprovalFilter;
  /** Whether this page can load more of the list. */
  grows: boolean;
  next: string | undefined;
  /** How far back an interrupted search got, as text. */
  reached: string | undefined;
};

/** Links to more of the list, to the next fifty, and back to the first. */
export function More({ filter, grows, next, reached }: MoreProps) {
  if (grows) return <ShowMore href={inboxUrl({ ...filter, rows: "50" })} />;
  const first = filter.after === undefined;
  if (!next && first) return null;
  const onwards = filter.list === "answered" ? "Earlier answers" : "Next 50 questions";
  return (
    <nav aria-label="Pages" className="grid gap-2 px-4 py-3">
      {reached ? (
        <p className="text-muted">
          Searched {countText(10_000)} questions, back to {reached}.
        </p>
      ) : null}
      <div className="flex flex-wrap justify-between gap-2">
        {first ? (
          <span />
        ) : (
          <ButtonLink href={inboxUrl({ ...filter, after: undefined })} size="small">
            Back to the first page
          </ButtonLink>
        )}
        {next ? (
          <ButtonLink href={inboxUrl({ ...filter, after: next })} size="small">
            {reached ? "Keep searching" : onwards}
          </ButtonLink>
        ) : null}
      </div>
    </nav>
  );
}

/** Loads more as the end of the list comes into view. */
function ShowMore({ href }: { href: string }) {
  const link = useRef<HTMLElement>(null);
  const grow = useGrow();
  useEffect(() => {
    const stop = new AbortController();
    const look = () => {
      const [place] = link.current?.getClientRects() ?? [];
      if (!place || place.top > 1.5 * window.innerHeight) return;
      stop.abort();
      grow();
    };
    // Waits for a scroll, because with grouped apps the end of the list is always in view.
    document.addEventListener("scroll", look, { capture: true, passive: true, signal: stop.signal });
    return () => stop.abort();
  }, [grow]);
  return (
    <nav aria-label="Pages" ref={link} className="grid justify-items-center px-4 py-3">
      <ButtonLink
        href={href}
        size="small"
        onClick={(event) => {
          event.preventDefault();
          grow();
        }}
      >
        Show more
      </ButtonLink>
    </nav>
  );
}
