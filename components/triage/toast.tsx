"use client";
import { useEffect } from "react";
import { lazyView } from "@/components/layout/lazy-component";
import type { ShownToastProps } from "./shown-toast";

const load = () => import("./shown-toast").then((it) => it.ShownToast);
const ShownToast = lazyView(load);

type ToastProps = Omit<ShownToastProps, "toast"> & {
  toast: ShownToastProps["toast"] | undefined;
  /** The classes that position the toast. */
  place: string;
};

/**
 * Shows the last action and its undo button at the bottom of the page, without covering the
 * answers. The toast stays while the pointer is over it or it has the focus.
 */
export function Toast({ toast, place, ...rest }: ToastProps) {
  // Loads the code at the first press, before an action needs it.
  useEffect(() => {
    const presses = new AbortController();
    const preload = () => {
      presses.abort();
      load().catch(() => {});
    };
    for (const press of ["pointerdown", "keydown"]) addEventListener(press, preload, { signal: presses.signal });
    return () => presses.abort();
  }, []);
  return (
    <section
      aria-label="Last action"
      className={`pointer-events-none fixed inset-x-2 z-30 flex justify-center ${place}`}
    >
      {toast ? <ShownToast key={toast.key} toast={toast} {...rest} /> : null}
    </section>
  );
}
