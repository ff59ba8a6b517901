"use client";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import { shouldKeepFocus } from "./focus";
import { undoKey } from "./list-keys";
import type { Toast as Note } from "./use-toast";

type ToastProps = {
  toast: Note | undefined;
  /** The toast's position, as classes. */
  place: string;
  /** The form that undoes it without scripts, if there is one. */
  form?: { action: string; fields: React.ReactNode };
  /** Selector of an element at the bottom of the page that the toast must stay above. */
  above?: string;
  onHide: (key: number) => void;
};

/**
 * Shows the last action and its undo button at the bottom of the page, never over the answers. It
 * stays while the pointer or the focus is in it. A live region elsewhere announces it.
 */
export function Toast({ toast, place, ...rest }: ToastProps) {
  return (
    <section
      aria-label="Last action"
      className={`pointer-events-none fixed inset-x-2 z-30 flex justify-center ${place}`}
    >
      {toast ? <Shown key={toast.key} toast={toast} {...rest} /> : null}
    </section>
  );
}

/** Distance to the element below, in pixels. */
const gap = 8;

function Shown({ toast, form, above, onHide }: Omit<ToastProps, "place"> & { toast: Note }) {
  const [until] = useState(() => performance.now() + toast.leftMs);
  const [over, setOver] = useState(false);
  const [stays, setStays] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), toast.leftMs);
    return () => clearTimeout(timer);
  }, [toast.leftMs]);
  useLayoutEffect(() => {
    if (!above) return;
    let lift = 0;
    let raised: Animation | undefined;
    let observed: Element | null = null;
    const follow = () => {
      const here = box.current?.getBoundingClientRect();
      const bar = document.querySelector(above);
      if (!here) return;
      if (bar !== observed) {
        if (observed) sizes.unobserve(observed);
        if (bar) sizes.observe(bar);
        observed = bar;
      }
      const [top, bottom] = [here.top + lift, here.bottom + lift];
      // An element on the bar's edge counts as part of it.
      const edges = [bar, bar?.firstElementChild].flatMap((it) => it?.getBoundingClientRect().top ?? []);
      const edge = Math.min(...edges);
      const foot = bar?.getBoundingClientRect().bottom ?? 0;
      const isUnder = edge < bottom + gap && foot > top && edge > window.innerHeight / 4;
      const needed = isUnder ? bottom + gap - edge : 0;
      if (needed === lift) return;
      raised?.cancel();
      raised = box.current?.animate({ translate: `0 ${-needed}px` }, { fill: "forwards" });
      lift = needed;
    };
    const sizes = new ResizeObserver(follow);
    for (const it of [document.body, box.current]) if (it) sizes.observe(it);
    // Another question has another answer bar.
    const changes = new MutationObserver(follow);
    changes.observe(document.body, { childList: true, subtree: true });
    const stop = new AbortController();
    for (const moves of ["scroll", "resize"])
      window.addEventListener(moves, follow, { signal: stop.signal, capture: true });
    follow();
    return () => {
      sizes.disconnect();
      changes.disconnect();
      stop.abort();
    };
  }, [above]);
  // Buttons that disappear with the undo period take the focus with them without an event.
  useEffect(() => {
    if (over) setStays(box.current?.matches(":hover, :focus-within") ?? false);
  }, [over]);
  useEffect(() => {
    if (over && !stays) onHide(toast.key);
  }, [over, stays, toast.key, onHide]);
  const { words, about, undo, commit, open } = toast;
  const isHeld = commit !== undefined && !over;
  const undoable = (undo || form) && (!commit || isHeld);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is there
    <div
      ref={box}
      onMouseEnter={() => setStays(true)}
      onMouseLeave={() => setStays(false)}
      onFocus={() => setStays(true)}
      onBlur={() => setStays(false)}
      data-toast
      className="pointer-events-auto flex max-w-xl min-w-0 flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-edge bg-raised py-1.5 pe-1.5 ps-4 shadow-float"
    >
      <div className={`py-1 ${about ? "min-w-0 flex-1" : "min-w-0"}`}>
        <p className={about && !open ? "flex" : ""}>
          {commit && over ? <span className="shrink-0 whitespace-pre">Sent: </span> : ""}
          <bdi className={`font-medium ${about && !open ? "truncate" : ""}`}>{words}</bdi>
          {isHeld ? (
            <span className="shrink-0 whitespace-pre text-muted">
              {" · "}
              <Countdown until={until} />
            </span>
          ) : null}
        </p>
        {about ? (
          <p className="truncate text-xs text-muted">
            <bdi>{about.app.name}</bdi>: <bdi>{about.question}</bdi>
          </p>
        ) : null}
      </div>
      <span className="ms-auto flex gap-1">
        {undoable ? (
          <form
            method="post"
            action={form?.action}
            onSubmit={(event) => {
              if (!undo) return;
              event.preventDefault();
              undo();
            }}
          >
            {form?.fields}
            <Button
              ref={shouldKeepFocus}
              type="submit"
              variant="secondary"
              size="small"
              aria-keyshortcuts={undoKey.keys}
            >
              Undo
            </Button>
          </form>
        ) : null}
        {isHeld ? (
          <Button ref={shouldKeepFocus} variant="quiet" size="small" onClick={commit}>
            Send now
          </Button>
        ) : null}
        {open ? (
          <Button
            ref={shouldKeepFocus}
            size="small"
            onClick={() => {
              onHide(toast.key);
              open();
            }}
          >
            Open it
          </Button>
        ) : null}
        {undoable ? null : (
          <Button ref={shouldKeepFocus} variant="quiet" size="small" onClick={() => onHide(toast.key)}>
            Close
          </Button>
        )}
      </span>
    </div>
  );
}
