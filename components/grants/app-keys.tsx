"use client";
import { useRouter } from "next/navigation";
import { useKeys } from "@/components/keys/keys";
import { useRowKeys } from "@/components/keys/row-keys";

/** The keys of the list of connected apps: from row to row, and Delete asks whether to revoke. */
export function AppListKeys() {
  useRowKeys("Connected apps", "app");
  useKeys("Connected apps", [{ keys: "Delete", says: "Revoke its access", run: () => askToRevoke(rowInFocus()) }]);
  return null;
}

/** The keys of one connected app. */
export function AppKeys() {
  const router = useRouter();
  useKeys("Connected app", [
    { keys: "Delete", says: "Revoke its access", run: () => askToRevoke(document) },
    { keys: "Escape", says: "Back to the list", run: () => router.push("/apps") },
  ]);
  return null;
}

const rowInFocus = () => document.activeElement?.closest("[data-app]") ?? null;

function askToRevoke(within: ParentNode | null) {
  const button = within?.querySelector<HTMLButtonElement>("[data-revoke] button");
  button?.click();
  return button !== undefined && button !== null;
}
