"use client";
import { useEffect } from "react";
import { forgetCheckIn } from "./browser";

/** At the door: whatever was kept in this browser for whoever was here is dropped. */
export function Forget() {
  useEffect(() => {
    forgetCheckIn();
    if ("caches" in window) void caches.delete("pages");
    navigator.clearAppBadge?.().catch(() => {});
    void navigator.serviceWorker?.getRegistration().then(async (registration) => {
      for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
    });
  }, []);
  return null;
}
