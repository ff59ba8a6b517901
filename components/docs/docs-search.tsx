"use client";
import { type ComponentType, useRef, useState } from "react";

/**
 * The documentation's search form. If scripts run, it shows live results that the arrow keys move
 * through.
 */
export function DocsSearch({ typed: initial = "" }: { typed?: string }) {
  const [typed, setTyped] = useState(initial);
  const [Finder, setFinder] = useState<ComponentType<{ typed: string }>>();
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const open = () => {
    setIsOpen(true);
    void import("./live-search").then((it) => setFinder(() => it.default));
  };
  const close = () => setIsOpen(false);
  const onKeyDown = (event: React.KeyboardEvent<HTMLFormElement>) => {
    if (event.key === "Escape" && isOpen) {
      field.current?.focus();
      return close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [field.current, ...event.currentTarget.querySelectorAll("a")];
    const to = step && stops[stops.indexOf(document.activeElement as HTMLInputElement) + step];
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  return (
    <search>
      <form
        action="/docs/search"
        className="search"
        onKeyDown={onKeyDown}
        onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || close()}
      >
        <input
          ref={field}
          id="docs-search"
          type="search"
          name="q"
          required
          autoComplete="off"
          aria-label="Search the documentation"
          aria-keyshortcuts="/"
          placeholder="Search"
          value={typed}
          onFocus={open}
          onChange={(event) => {
            setTyped(event.target.value);
            open();
          }}
        />
        {isOpen && Finder ? <Finder typed={typed} /> : null}
      </form>
    </search>
  );
}
