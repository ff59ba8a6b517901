"use client";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { forgetCheckIn } from "./browser";

/**
 * At the door: whatever was kept in this browser for whoever was here is dropped. Not where the owner who is signed in shows
 * once more who they are.
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
