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
 * A menu that opens below its button, even without scripts. With scripts, the owner can also press
 * the button, slide to an item and release, and the menu closes on a choice, on Escape, on a press
 * elsewhere, or when the focus leaves it.
 */
export function IconMenu({ label, icon, children }: MenuProps) {
  const fold = useRef<HTMLDetailsElement>(null);
  // Whether the current press opened the menu.
  const sliding = useRef(false);
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
      onPointerDown={({ target, currentTarget, button, pointerId }) => {
        sliding.current = button === 0 && !currentTarget.open;
        if (!sliding.current) return;
        // A finger captures its pointer; without the release, the button would receive pointerup.
        (target as Element).releasePointerCapture(pointerId);
        currentTarget.open = true;
      }}
      onPointerUp={({ target }) => {
        if (sliding.current) (target as Element).closest<HTMLElement>("a, button")?.click();
      }}
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        aria-label={label}
        title={label}
        onClick={(event) => {
          // The press has already opened the menu. A key's click has detail 0.
          if (sliding.current && event.detail > 0) event.preventDefault();
        }}
        className={`${iconButton} touch-none select-none group-open/menu:bg-fill`}
      >
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
