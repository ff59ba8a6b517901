"use client";
import { useEffect, useRef } from "react";

type MenuProps = {
  /** The name of the button that opens the menu. */
  label: string;
  icon: React.ReactNode;
  children: React.ReactNode;
};

/** The classes of an icon button. */
export const iconButton =
  "inline-flex size-11 items-center justify-center rounded-lg text-muted hover:bg-fill hover:text-ink";

/**
 * A menu that opens below its button, also without scripts. With scripts, a choice, Escape, a press
 * elsewhere, or a focus outside the menu closes it.
 */
export function IconMenu({ label, icon, children }: MenuProps) {
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "pointerdown",
      ({ target }) => {
        if (fold.current && target instanceof Node && !fold.current.contains(target)) fold.current.open = false;
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);
  const close = () => {
    if (!fold.current) return;
    fold.current.open = false;
    fold.current.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={fold}
      className="group/menu relative"
      onClick={({ target }) => {
        if (fold.current?.open && target instanceof Element && target.closest("a, button[type=submit]")) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !fold.current?.open) return;
        event.preventDefault();
        close();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary aria-label={label} title={label} className={`${iconButton} group-open/menu:bg-fill`}>
        {icon}
      </summary>
      <div className="absolute inset-e-0 top-full z-30 mt-1 grid w-64 max-w-[calc(100vw-2rem)] rounded-xl border border-line bg-raised p-1.5 text-ink shadow-float">
        {children}
      </div>
    </details>
  );
}

/** The classes of a menu item that is a link or a collapsible section. */
export const menuItem =
  "flex min-h-11 w-full items-center gap-2 rounded-lg px-3 py-2 text-start font-normal hover:bg-fill sm:min-h-10";
/** The classes of a menu item that is a button. */
export const menuButton = "min-h-11 w-full justify-start! px-3! text-start! font-normal! sm:min-h-10";
