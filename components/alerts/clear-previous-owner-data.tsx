"use client";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { forgetCheckIn } from "./push-subscription";

/**
 * Runs on sign-in pages and after an account's deletion. Clears the previous owner's data in this
 * browser, unless a signed-in owner signs in again.
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
