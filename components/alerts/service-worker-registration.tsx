"use client";
import { usePathname } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { useWaiting } from "@/components/live/pending-count";
import { alertsStorageKey } from "./alerts-owner-storage-key";

/** Chrome's install prompt, kept until the page offers to install the app. */
export type InstallPrompt = Event & { prompt(): Promise<unknown> };
export const installPrompt: { event?: InstallPrompt } = {};

const lists = ["/approvals", "/notifications"];

/**
 * Registers the service worker. When the page is hidden, asks the worker to cache the list. When
 * the pending count changes, asks the worker to remove the alerts of answered questions.
 */
export function ServiceWorkerRegistration({ ownerId, waiting }: { ownerId: string; waiting: number }) {
  const path = usePathname();
  const count = useWaiting(waiting);

  useEffect(() => {
    const keepPrompt = (event: Event) => {
      event.preventDefault();
      installPrompt.event = event as InstallPrompt;
      window.dispatchEvent(new Event("countersign-installable"));
    };
    window.addEventListener("beforeinstallprompt", keepPrompt);
    return () => window.removeEventListener("beforeinstallprompt", keepPrompt);
  }, []);

  const stillHere = useEffectEvent(async () => {
    // Only browsers that show this owner's alerts load the module.
    if (localStorage.getItem(alertsStorageKey) === ownerId)
      await (await import("./push-subscription")).isStillSubscribed(ownerId);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each owner, not for each reading of the page
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    const bring = () =>
      navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).then(
        () => stillHere(),
        // Registration can fail, for example in private windows. The page works without the worker.
        () => {},
      );
    if (document.readyState === "complete") void bring();
    else window.addEventListener("load", bring, { once: true });
    return () => window.removeEventListener("load", bring);
  }, [ownerId]);

  // When the page becomes visible, removes alerts that were answered elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time the number changes
  useEffect(() => tell({ tidy: true }), [count]);

  useEffect(() => {
    const leave = () => document.hidden && lists.includes(path) && tell({ keep: path, owner: ownerId });
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [path, ownerId]);
  return null;
}

const tell = (message: object) => navigator.serviceWorker?.controller?.postMessage(message);
