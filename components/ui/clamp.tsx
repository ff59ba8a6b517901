"use client";
import { useEffect, useRef, useState } from "react";

/**
 * Text that may be very long, in a box that it cannot outgrow: past `className`'s max-height it scrolls inside, and with
 * scripts a button opens it up.
 */
export function Clamp({ className, what, children }: { className: string; what: string; children: React.ReactNode }) {
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
  return (
    <div>
      <div
        ref={box}
        className={`overflow-y-auto ${open ? "" : className}`}
        {...(tooLong && !open ? { tabIndex: 0, role: "group", "aria-label": `${what}, scrolls` } : {})}
      >
        {children}
      </div>
      {tooLong ? (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="mt-1 inline-flex min-h-8 items-center font-medium text-accent underline underline-offset-3"
        >
          {open ? "Show less" : "Show all"}
          <span className="sr-only"> of {what.toLowerCase()}</span>
        </button>
      ) : null}
    </div>
  );
}
