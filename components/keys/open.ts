"use client";

/** The two dialogs that every page has. */
export type Opened = "help" | "palette";

let opener: ((which: Opened) => void) | undefined;

/** Open one of them: for buttons anywhere on the page. */
export const openDialog = (which: Opened): void => opener?.(which);

/** For whoever shows them. @returns how to stop */
export function onOpenDialog(open: (which: Opened) => void): () => void {
  opener = open;
  return () => {
    if (opener === open) opener = undefined;
  };
}
