"use client";
import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";
import { useModal } from "@/components/ui/use-modal";
import type { KeyGroup } from "./keys";

const Help = lazy(() => import("./help").then(({ Help }) => ({ default: Help })));

/** The help's frame: there at once, so that the next key is none of the page's. What is in it comes when it is opened. */
export function HelpDialog({ keys, onClose }: { keys: KeyGroup[]; onClose: () => void }) {
  const dialog = useModal(onClose);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys-title"
      className="max-h-[calc(100dvh-2rem)] w-[min(46rem,calc(100vw-2rem))] overflow-y-auto rounded-xl border border-line bg-raised p-5 text-text shadow-float"
    >
      <h2 id="keys-title" tabIndex={-1} className="text-lg outline-none">
        Keys
      </h2>
      <Suspense>
        <Help keys={keys} />
      </Suspense>
      <form method="dialog" className="mt-4 flex justify-end">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}
