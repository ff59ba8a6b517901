"use client";
import { useState } from "react";

/** The minimum duration of a long press, in milliseconds. */
const heldMs = 500;

/**
 * Event handlers for a list whose rows are selected by a long press.
 * @param onHeld receives the row's `data-row`
 */
export function useLongPress(onHeld: (id: string) => void) {
  const [press] = useState<{ timer?: ReturnType<typeof setTimeout>; held: boolean }>({ held: false });
  const stop = () => clearTimeout(press.timer);
  const rowOf = ({ target }: React.SyntheticEvent) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
  const hold = (id: string) => {
    stop();
    if (press.held) return;
    press.held = true;
    ignoreRelease();
    onHeld(id);
  };
  return {
    onPointerDown(event: React.PointerEvent) {
      stop();
      press.held = false;
      const id = rowOf(event);
      if (id !== undefined && event.pointerType === "touch") press.timer = setTimeout(() => hold(id), heldMs);
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // A long press on a link also opens the browser's context menu.
    onContextMenu(event: React.MouseEvent) {
      const id = rowOf(event);
      if (id === undefined || (event.nativeEvent as PointerEvent).pointerType !== "touch") return;
      event.preventDefault();
      hold(id);
    },
  };
}

/** Ignores the click that ends a long press, wherever the finger is by then. */
function ignoreRelease(): void {
  const stop = new AbortController();
  const on = { capture: true, signal: stop.signal };
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    stop.abort();
  };
  document.addEventListener("click", ignore, on);
  document.addEventListener("pointerdown", () => stop.abort(), on);
}
