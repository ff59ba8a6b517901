"use client";
import { useRouter } from "next/navigation";
import { useKeys } from "@/components/keys/keys";

/** The keys of the list of connected apps: j and k go from row to row, Delete asks whether to revoke. */
export function AppListKeys() {
  useKeys("Connected apps", [
    { keys: "j", says: "Next app", run: () => step(1) },
    { keys: "k", says: "Previous app", run: () => step(-1) },
    { keys: "Enter", says: "Open the app", run: () => false },
    { keys: "Delete", says: "Revoke its access", run: () => askToRevoke(rowInFocus()) },
  ]);
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

/** Nothing in focus counts as before the first. */
function step(by: 1 | -1) {
  const rows = [...document.querySelectorAll("[data-app]")];
  const at = rows.indexOf(rowInFocus() as Element);
  const next = rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
  next?.querySelector("a")?.focus();
}

function askToRevoke(within: ParentNode | null) {
  const button = within?.querySelector<HTMLButtonElement>("[data-revoke] button");
  button?.click();
  return button !== undefined && button !== null;
}
