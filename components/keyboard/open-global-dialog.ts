"use client";

/** The two dialogs of every page. */
export type Opened = "help" | "palette";

let opener: ((which: Opened) => void) | undefined;

/** Opens the palette or the help, from a button anywhere on the page. */
export const openDialog = (which: Opened): void => opener?.(which);

/** Registers the component that shows the dialogs. @returns a function that unregisters it */
export function onOpenDialog(open: (which: Opened) => void): () => void {
  opener = open;
  return () => {
    if (opener === open) opener = undefined;
  };
}
