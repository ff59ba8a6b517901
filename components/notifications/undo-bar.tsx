"use client";
import { useEffect, useState } from "react";
import { actAddress } from "@/components/acts/send";
import { Button } from "@/components/ui/button";
import type { Step } from "./types";

/** How long it stands; the key takes back all the same afterwards. */
const standsMs = 10_000;

type UndoBarProps = { step: Step; onUndo?: () => void };

/** What was just done, and the way back. It goes by itself, not while somebody is at it. */
export function UndoBar({ step, onUndo }: UndoBarProps) {
  const [gone, setGone] = useState<Step>();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => setGone(step), standsMs);
    return () => clearTimeout(timer);
  }, [step, held]);
  if (gone === step) return null;
  const { undo, words } = step;
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-10 flex justify-center px-4 sm:bottom-6 sm:pl-24 xl:pl-56">
      <form
        method="post"
        action={actAddress(`notification.${undo.act}`)}
        onSubmit={(event) => {
          if (!onUndo) return;
          event.preventDefault();
          onUndo();
        }}
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        className="pointer-events-auto flex items-center gap-3 rounded-xl border border-edge bg-raised py-1.5 pr-1.5 pl-4 shadow-float"
      >
        <p>{words}</p>
        {undo.ids.map((id) => (
          <input key={id} type="hidden" name="ids" value={id} />
        ))}
        {undo.at.map((at, place) => (
          <input key={undo.ids[place] ?? at} type="hidden" name="at" value={at} />
        ))}
        <Button type="submit" size="small" variant="quiet" className="text-accent" aria-keyshortcuts="u">
          Undo
        </Button>
      </form>
    </div>
  );
}
