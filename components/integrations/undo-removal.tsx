"use client";
import { useEffect, useState } from "react";
import { useShortcut } from "@/components/keys/shortcut";
import { lookAgain } from "@/components/live/live-state";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { Countdown } from "@/components/ui/time/countdown";
import { useAlive } from "@/components/ui/use-alive";

type UndoRemovalProps = {
  action: FormAction;
  id: string;
  /** What its owner calls it. */
  name: string;
  /** How long it can still be taken back. */
  leftMs: number;
};

/** An account was just removed, and can be taken back until what opens it is destroyed. */
export function UndoRemoval({ action, id, name, leftMs }: UndoRemovalProps) {
  const [until] = useState(() => performance.now() + leftMs);
  const [over, setOver] = useState(false);
  const alive = useAlive();
  const key = useShortcut<HTMLButtonElement>({ shortcut: "u", says: "Undo the removal" });
  // It goes with what it undid, and the focus with it: that then stays in the page.
  useEffect(
    () => () => void (document.activeElement === document.body && document.getElementById("main")?.focus()),
    [],
  );
  if (over) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-edge bg-raised py-2 pr-2 pl-4 shadow-card">
      <p role="status" className="min-w-0 grow">
        Removed <bdi className="font-medium">{name}</bdi>. Its credentials are destroyed in a few seconds.
      </p>
      {alive ? (
        // Not read out: it would be, every second.
        <span aria-hidden="true" className="text-muted">
          <Countdown
            until={until}
            onEnd={() => {
              setOver(true);
              lookAgain();
            }}
          />
        </span>
      ) : null}
      <ActionForm action={action} className="flex flex-wrap items-center gap-2">
        <input type="hidden" name="id" value={id} />
        <SubmitButton variant="primary" size="small" {...key}>
          Undo
        </SubmitButton>
      </ActionForm>
    </div>
  );
}
