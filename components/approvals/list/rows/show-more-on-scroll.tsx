"use client";
import { useEffect, useRef } from "react";
import { ButtonLink } from "@/components/ui/styled-links";
import { useGrow } from "../use-open-approval";

/** Loads more as the end of the list comes into view. */
export function ShowMore({ href }: { href: string }) {
  const link = useRef<HTMLElement>(null);
  const { growing, grow } = useGrow();
  useEffect(() => {
    if (growing) return;
    const look = () => {
      const [place] = link.current?.getClientRects() ?? [];
      if (place && place.top < 1.5 * window.innerHeight) grow();
    };
    // Before the owner scrolls, loads nothing. With grouped apps, the end of the list may be in
    // view from the start.
    if (window.scrollY || link.current?.closest("[data-list]")?.scrollTop) look();
    document.addEventListener("scroll", look, true);
    return () => document.removeEventListener("scroll", look, true);
  }, [growing, grow]);
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
