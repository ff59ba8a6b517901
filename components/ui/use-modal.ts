"use client";
import { useLayoutEffect, useRef } from "react";

/** A dialog that is open for as long as it is there; Escape and a click beside it close it. The focus returns by itself. */
export function useModal(onClose: () => void): React.RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const closed = useRef(onClose);
  closed.current = onClose;
  // A layout effect, since it has to end while the dialog is still in the page.
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
      // Closed before it goes, so that the browser gives the focus back.
      dialog.close();
    };
  }, []);
  return ref;
}
