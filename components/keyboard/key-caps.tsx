"use client";
import { useHydrated } from "@/components/ui/use-hydrated";

const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
const names: Record<string, string> = { Mod: isMac ? "⌘" : "Ctrl", Escape: "Esc" };

/**
 * A binding's keys as this device names them, such as "Ctrl" and "K". The key 1 represents all nine
 * digits.
 */
function capsOf(keys: string): string[] {
  if (/^[A-Z]$/.test(keys)) return ["Shift", keys];
  const caps = keys.length === 1 ? [keys] : keys.split(/[+ ]/);
  return caps.map((key) =>
    key === "1" ? "1 – 9" : (names[key] ?? (keys.includes("Mod+") ? key.toUpperCase() : key.replace("Arrow", ""))),
  );
}

/** A binding with the platform's modifier, as in "⌘K" and "Ctrl K". Empty until scripts run. */
export const ModKey = ({ letter }: { letter: string }) => (
  <span aria-hidden="true">{useHydrated() ? `${names.Mod}${isMac ? "" : " "}${letter}` : ""}</span>
);

/** A binding's keys as key caps, readable by screen readers. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="flex shrink-0 gap-1">
      {capsOf(keys).map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded-md bg-fill px-1.5 text-center font-sans text-xs leading-5 whitespace-nowrap text-ink"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

/**
 * A control's shortcut. On screens where a keyboard is likely, it is visible while the pointer is
 * on the control, and after the first shortcut is used (`data-keyed`).
 */
export function KeyCap({ shown = true, children }: { shown?: boolean; children: React.ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={`hidden size-6 shrink-0 items-center justify-center rounded bg-bg font-sans text-xs text-muted tabular-nums in-data-[keys=off]:hidden! ${shown ? "opacity-0 in-data-keyed:opacity-100 in-[:hover:is(button,summary,a)]:opacity-100 lg:inline-flex" : "lg:invisible lg:inline-flex"}`}
    >
      {children}
    </span>
  );
}
