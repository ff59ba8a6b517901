"use client";
import { useState } from "react";
import { KeyCap } from "@/components/keyboard/key-caps";
import { zoneHere } from "@/components/settings/browser-time-zone";
import { Button } from "@/components/ui/button";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { useModal } from "@/components/ui/use-modal";
import { plural } from "@/lib/text/plural";
import { snoozeOffers } from "@/lib/text/snooze-times";

type SnoozeDialogProps = {
  count: number;
  onChoose: (chosen: { choice: string; timeZone: string }) => void;
  onClose: () => void;
};

/**
 * Asks the owner how long to snooze. Times are in the browser's time zone. A key or a click selects
 * a time, and Escape cancels.
 */
export function SnoozeDialog({ count, onChoose, onClose }: SnoozeDialogProps) {
  const formats = useFormats();
  const dialog = useModal(onClose);
  const [timeZone] = useState(zoneHere);
  const [offers] = useState(() => snoozeOffers(timeZone, Date.now(), formats));
  const choose = (choice: string) => {
    dialog.current?.close();
    onChoose({ choice, timeZone });
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="snooze-title"
      onKeyDown={(event) => {
        const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("[data-offer]")];
        const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
        if (step !== undefined) buttons[(index + step + buttons.length) % buttons.length]?.focus();
        else if (/^[1-9]$/.test(event.key) && !event.repeat) buttons[Number(event.key) - 1]?.click();
        else return;
        event.preventDefault();
      }}
      className="w-[min(22rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-4 text-ink shadow-float"
    >
      <h2 id="snooze-title" className="mb-3 text-base">
        Snooze {plural(count, { one: "this question", other: "# questions" })} until
      </h2>
      <div className="grid gap-2">
        {offers.map(({ choice, label, time }, index) => (
          <Button key={choice} data-offer onClick={() => choose(choice)} className="justify-start!">
            <KeyCap>{index + 1}</KeyCap>
            {label}
            <span className="ms-auto font-normal text-muted tabular-nums">{time}</span>
          </Button>
        ))}
      </div>
      <p className="mt-3 text-xs text-muted">Apps aren’t notified about snoozes.</p>
      <form method="dialog" className="mt-2 flex justify-end">
        <Button type="submit" variant="quiet" size="small">
          Cancel
        </Button>
      </form>
    </dialog>
  );
}
