"use client";

const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
const names: Record<string, string> = { Mod: isMac ? "⌘" : "Ctrl", Escape: "Esc" };

/** How a binding's keys are written on this computer, one by one: "Ctrl" and "K", "g" and "a". */
function capsOf(keys: string): string[] {
  const caps = keys.length === 1 ? [keys] : keys.split(/[+ ]/);
  return caps.map((key) => names[key] ?? (keys.includes("Mod+") ? key.toUpperCase() : key.replace("Arrow", "")));
}

/** A binding's keys as caps, to be read aloud as words. */
export function KeyCaps({ keys, shows }: { keys: string; shows?: string | undefined }) {
  return (
    <span className="flex shrink-0 gap-1">
      {(shows ? [shows] : capsOf(keys)).map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded-md border border-edge bg-bg px-1.5 text-center font-sans text-xs leading-5 text-text"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
