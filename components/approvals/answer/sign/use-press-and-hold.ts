"use client";
import { useEffect, useRef, useState } from "react";
import { atRest, type Hold, type HoldEvent, holdMs, step } from "./press-and-hold";

const isKey = ({ key, ctrlKey, metaKey, altKey }: React.KeyboardEvent) =>
  (key === "Enter" || key === " ") && !ctrlKey && !metaKey && !altKey;

/**
 * A button that signs when it is held or pressed twice. It supports pointers, keys and screen
 * readers.
 * @param onSigned called once
 * @returns the button's state and attributes
 */
export function usePressAndHold(onSigned: () => void) {
  const [hold, show] = useState<Hold>(atRest);
  const it = useRef({ hold: atRest, timer: 0, isPointer: false });
  const signed = useRef(onSigned);
  signed.current = onSigned;

  const [send] = useState(() => (event: HoldEvent) => {
    const { current } = it;
    const next = step(current.hold, event, performance.now());
    if (next === current.hold) return;
    current.hold = next;
    clearTimeout(current.timer);
    if (next.phase === "holding") current.timer = window.setTimeout(() => send("elapsed"), holdMs);
    show(next);
    if (next.phase !== "signed") return;
    navigator.vibrate?.(10);
    signed.current();
  });
  const leave = () => {
    it.current.isPointer = false;
    send("cancel");
  };

  useEffect(() => {
    const cancel = () => send("cancel");
    window.addEventListener("blur", cancel);
    return () => {
      window.removeEventListener("blur", cancel);
      clearTimeout(it.current.timer);
    };
  }, [send]);

  const button: React.ComponentProps<"button"> = {
    onPointerDown(event) {
      if (event.button !== 0 || !event.isPrimary) return leave();
      // Touch captures the pointer. Releasing it lets a finger that moves off the button cancel the
      // hold.
      if (event.currentTarget.hasPointerCapture(event.pointerId))
        event.currentTarget.releasePointerCapture(event.pointerId);
      it.current.isPointer = true;
      send("press");
    },
    onPointerUp: () => send("release"),
    onPointerLeave: leave,
    onPointerCancel: leave,
    onContextMenu: (event) => it.current.hold.phase === "holding" && event.preventDefault(),
    onKeyDown(event) {
      if (!isKey(event)) return;
      event.preventDefault();
      // The key that opened the sheet may still be down.
      if (!event.repeat) send("press");
    },
    onKeyUp(event) {
      if (!isKey(event)) return;
      event.preventDefault();
      send("release");
    },
    onBlur: () => send("cancel"),
    onClick() {
      // A click after a pointer's release belongs to the same press.
      if (!it.current.isPointer) send("click");
      it.current.isPointer = false;
    },
  };
  return { phase: hold.phase, early: hold.phase === "rest" && hold.early === true, button };
}
