"use client";

/** The two dialogs that every page can open. */
export type Opened = "help" | "palette";

let opener: ((which: Opened) => void) | undefined;

/** Opens the palette or the help dialog from anywhere on the page. */
export const openDialog = (which: Opened): void => opener?.(which);

/** Registers the component that shows the dialogs. @returns a function that unregisters it */
export function onOpenDialog(open: (which: Opened) => void): () => void {
  opener = open;
  return () => {
    if (opener === open) opener = undefined;
  };
}
