"use client";
import { useRouter } from "next/navigation";
import { useKeys } from "@/components/keys/keys";
import { useRowKeys } from "@/components/keys/row-keys";

/** The keys of the list of linked accounts: from row to row, and what can be done with the one in focus. */
export function AccountListKeys() {
  useRowKeys("Integrations", "account");
  useKeys(
    "Integrations",
    acts(() => document.activeElement?.closest("[data-account]") ?? null),
  );
  return null;
}

/** The keys of one linked account. */
export function AccountKeys() {
  const router = useRouter();
  useKeys("Linked account", [
    ...acts(() => document),
    { keys: "Escape", says: "Back to the list", run: () => router.push("/integrations") },
  ]);
  return null;
}

const acts = (within: () => ParentNode | null) => [
  { keys: "r", says: "Reconnect", run: () => press(within(), "[data-reconnect]") },
  { keys: "t", says: "Test now", run: () => press(within(), "[data-test]") },
];

function press(within: ParentNode | null, which: string): boolean {
  const it = within?.querySelector<HTMLElement>(which);
  it?.click();
  return it !== undefined && it !== null;
}
