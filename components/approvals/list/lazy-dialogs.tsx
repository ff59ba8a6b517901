"use client";
import { lazyComponent } from "@/components/layout/lazy-component";
import { Button } from "@/components/ui/button";
import { useModal } from "@/components/ui/use-modal";

const notLoaded = () => NotLoaded;
export const BatchDialog = lazyComponent(() => import("./batch-answer-dialog").then((it) => it.BatchDialog, notLoaded));
export const SnoozeDialog = lazyComponent(() => import("./snooze-dialog").then((it) => it.SnoozeDialog, notLoaded));
export const SelectionBar = lazyComponent(() => import("./selection-bar").then((it) => it.SelectionBar, notLoaded));
export const SigningSheet = lazyComponent(() =>
  import("@/components/approvals/answer/sign/signing-sheet").then((it) => it.SigningSheet, notLoaded),
);
export const UnexpectedDialog = lazyComponent(() =>
  import("@/components/approvals/decision/report-unexpected-question").then((it) => it.UnexpectedDialog, notLoaded),
);

/** The dialog shown when a dialog's code cannot be loaded. */
function NotLoaded({ onClose }: { onClose: () => void }) {
  return (
    <dialog
      ref={useModal(onClose)}
      aria-label="Couldn’t load the dialog"
      className="w-[min(22rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-4 text-ink shadow-float"
    >
      <p>Couldn’t load the dialog. Check your connection, then reload the page. Your text is saved.</p>
      <form method="dialog" className="mt-3 flex justify-end">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}
