"use client";
import { useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";
import { useSelected } from "@/components/triage/use-selected";

/**
 * Which questions are selected, those of this page of the list and others of an app.
 * @param isOpen what is answered is selected no longer
 */
export function useSelection(ordered: readonly InboxApproval[], isOpen: (approval: InboxApproval) => boolean) {
  const [beyond, setBeyond] = useState<readonly InboxApproval[]>([]);
  const [picking, setPicking] = useState(false);
  const here = new Set(ordered.map(({ _id }) => _id));
  const all = [...ordered, ...beyond.filter(({ _id }) => !here.has(_id))];
  // To be answered together they must still be what they were when they were selected.
  const selection = useSelected(all.filter(isOpen), ({ _id, contentHash }) => `${_id} ${contentHash}`);
  return {
    ...selection,
    /** Whether a press on a row selects it, and opens it not. */
    picking,
    pick: () => setPicking(true),
    addAll(these: readonly InboxApproval[]) {
      setBeyond(these);
      selection.add(these);
    },
    clear() {
      setBeyond([]);
      setPicking(false);
      selection.clear();
    },
  };
}

/** As long as a finger has to stay where it is. */
const heldMs = 500;

/**
 * Rows that a finger selects by staying on them: the handlers of what they are in.
 * @param onHeld given the row's `data-row`
 */
export function useLongPress(onHeld: (id: string) => void) {
  const [press] = useState<{ timer?: ReturnType<typeof setTimeout>; held: boolean }>({ held: false });
  const stop = () => clearTimeout(press.timer);
  const rowOf = ({ target }: React.SyntheticEvent) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
  const hold = (id: string) => {
    stop();
    if (!press.held) onHeld(id);
    press.held = true;
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
    // The browser's own menu of a link comes from the same gesture.
    onContextMenu(event: React.MouseEvent) {
      const id = rowOf(event);
      if (id === undefined || (event.nativeEvent as PointerEvent).pointerType !== "touch") return;
      event.preventDefault();
      hold(id);
    },
    onClickCapture(event: React.MouseEvent) {
      if (!press.held) return;
      press.held = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
