"use client";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { forgetCheckIn } from "./push-subscription";

/**
 * Runs on sign-in pages. Clears the previous owner's data in this browser, unless the page asks a
 * signed-in owner to sign in again.
 */
export function ClearLocalState() {
  const again = usePathname() === "/sign-in/again";
  useEffect(() => {
    if (again) return;
    forgetCheckIn();
    if ("caches" in window) void caches.delete("pages");
    navigator.clearAppBadge?.().catch(() => {});
    void navigator.serviceWorker?.getRegistration().then(async (registration) => {
      for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
    });
  }, [again]);
  return null;
}
