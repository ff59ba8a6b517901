"use client";
import { useLayoutEffect, useRef } from "react";

/**
 * Opens a modal dialog while the component is mounted. Escape or a press outside closes the dialog,
 * and the browser restores the focus.
 */
export function useModal(onClose: () => void): React.RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const closed = useRef(onClose);
  closed.current = onClose;
  // A layout effect, because its cleanup must run while the dialog is still in the page.
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
      // Closes the dialog before it is removed, so that the browser restores the focus.
      dialog.close();
    };
  }, []);
  return ref;
}
