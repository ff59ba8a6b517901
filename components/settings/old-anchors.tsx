"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { movedTo } from "./pages";

/** Follows links to settings from when all of them were one page: browsers don't send the anchor. */
export function OldAnchors() {
  const router = useRouter();
  useEffect(() => {
    const now = movedTo(window.location.hash.slice(1));
    if (now) router.replace(now);
  }, [router]);
  return null;
}
