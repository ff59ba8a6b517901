"use client";
import { useEffect, useRef, useState } from "react";

type ClampProps = {
  /** The classes for the maximum height. */
  className: string;
  what: string;
  /**
   * The name of the marker at the end of the text, from which the page knows whether all of it was
   * in view.
   */
  end?: string;
  children: React.ReactNode;
};

/**
 * A box for long text. Text that exceeds the max-height in `className` scrolls, and a button at the
 * bottom expands the box. Without scripts all text is shown.
 */
export function Clamp({ className, what, end, children }: ClampProps) {
  const box = useRef<HTMLDivElement>(null);
  const [tooLong, setTooLong] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setTooLong((was) => was || element.scrollHeight > element.clientHeight + 4);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const shut = tooLong && !open;
  return (
    <div className="relative">
      <div
        ref={box}
        className={`overflow-y-auto -outline-offset-2 noscript:max-h-none! ${open ? "" : className} ${shut ? "mask-[linear-gradient(#000_calc(100%-4rem),transparent_calc(100%-2rem))]" : ""}`}
        {...(shut ? { tabIndex: 0, role: "group", "aria-label": `${what} (scrollable)` } : {})}
      >
        {children}
        {shut ? <div className="h-10" /> : null}
        {end ? <div data-end={end} /> : null}
      </div>
      {tooLong ? (
        // Overlays the text, so that nothing moves when the button appears.
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={`link inline-flex min-h-8 items-center font-medium ${shut ? "absolute bottom-0 inset-s-0" : ""}`}
        >
          {open ? "Show less" : "Show all"}
          <span className="sr-only"> of {what.toLowerCase()}</span>
        </button>
      ) : null}
    </div>
  );
}
