"use client";
import { useLayoutEffect, useRef } from "react";

/**
 * A modal dialog that is open while mounted. Escape or a click outside closes it, and the focus
 * returns automatically.
 */
export function useModal(onClose: () => void): React.RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const closed = useRef(onClose);
  closed.current = onClose;
  // A layout effect is needed, because its cleanup must run while the dialog is still in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const close = () => closed.current();
    const beside = ({ target }: MouseEvent) => target === dialog && dialog.close();
    dialog.addEventListener("close", close);
    dialog.addEventListener("mousedown", beside);
    dialog.showModal();
    return () => {
      dialog.removeEventListener("close", close);
      dialog.removeEventListener("mousedown", beside);
      // Closes before unmounting, so that the browser restores the focus.
      dialog.close();
    };
  }, []);
  return ref;
}
