"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { movedTo } from "./settings-pages";

/**
 * Redirects links with anchors of the former single settings page. Browsers don't send anchors to
 * the server, so only scripts can redirect.
 */
export function OldAnchors() {
  const router = useRouter();
  useEffect(() => {
    const now = movedTo(window.location.hash.slice(1));
    if (now) router.replace(now);
  }, [router]);
  return null;
}
