"use client";
import { setSingleKeys, useSingleKeys } from "@/components/keys/single-keys";
import { Button } from "@/components/ui/button";

const keys = [
  ["1 – 9", "Answer with that option"],
  ["Shift 1 – 9", "Choose it and add a note first"],
  ["Enter", "Send what was chosen"],
  ["o", "Answer in your own words (Ctrl or ⌘ Enter sends)"],
  ["n", "Add a note"],
  ["f", "Find an option, where there are many"],
  ["j / k, ↓ / ↑", "Next, previous question"],
  ["u, Ctrl or ⌘ Z", "Undo what you did last"],
  ["h", "Snooze"],
  ["m", "Mute the app, or hear it again"],
  ["x, Shift J / K", "Select, and on to the next"],
  ["Shift U / I", "Mark as unread, as read"],
  ["e", "Why there is no archive"],
  ["Esc", "Leave the text box, back to the list"],
  ["?", "This list"],
] as const;

/** What the keys do, and the switch for those whom single keys get in the way. */
export function KeysHelp({ ref }: { ref: React.Ref<HTMLDialogElement> }) {
  const on = useSingleKeys();
  return (
    <dialog
      ref={ref}
      aria-labelledby="keys-title"
      className="w-[min(28rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-5 text-text shadow-float"
    >
      <h2 id="keys-title" className="text-base">
        Keys
      </h2>
      <dl className="my-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt className="font-medium whitespace-nowrap">{key}</dt>
            <dd className="text-muted">{what}</dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-11 items-center gap-3 border-t border-line pt-3">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => setSingleKeys(event.target.checked)}
          className="size-5 accent-accent"
        />
        Single keys act (kept in this browser)
      </label>
      <form method="dialog" className="mt-3 flex justify-end">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}
