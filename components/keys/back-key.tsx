"use client";
import { useRouter } from "next/navigation";
import { useKeysHere } from "./shortcut";

/** Lets Escape lead from one thing back to the list of all. */
export function BackKey({ href }: { href: string }) {
  const router = useRouter();
  useKeysHere([{ keys: "Escape", says: "Back to the list", run: () => router.push(href) }]);
  return null;
}
