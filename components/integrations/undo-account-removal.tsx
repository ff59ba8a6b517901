"use client";
import { useState } from "react";
import { ActionForm } from "@/components/actions/action-form";
import { useShortcut } from "@/components/keyboard/use-shortcut";
import { refreshPage } from "@/components/live/connection-and-refresh";
import { SubmitButton } from "@/components/ui/submit-button";
import { Countdown } from "@/components/ui/time/countdown";
import { useKeptFocus } from "@/components/ui/use-focus-after-unmount";
import { useHydrated } from "@/components/ui/use-hydrated";

type UndoRemovalProps = {
  id: string;
  /** The owner's name for the account. */
  name: string;
  leftMs: number;
};

/**
 * Shown after an account was removed. The account can be restored until its credentials are
 * deleted.
 */
export function UndoRemoval({ id, name, leftMs }: UndoRemovalProps) {
  const [until] = useState(() => performance.now() + leftMs);
  const [over, setOver] = useState(false);
  const alive = useHydrated();
  const key = useShortcut<HTMLButtonElement>({ shortcut: "u", description: "Undo the removal" });
  // The undo removes this button while it has the focus, so the focus must move to another element.
  useKeptFocus();
  if (over) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-edge bg-raised py-2 pe-2 ps-4">
      <p role="status" className="min-w-0 grow">
        Removed <bdi className="font-medium">{name}</bdi>. We’ll delete its credentials in a few seconds.
      </p>
      {alive ? (
        // Hidden from screen readers, which would otherwise announce every second.
        <span aria-hidden="true" className="text-muted">
          <Countdown
            until={until}
            onEnd={() => {
              setOver(true);
              refreshPage();
            }}
          />
        </span>
      ) : null}
      <ActionForm act="integration.undo-disconnect" fields={{ id }} className="flex flex-wrap items-center gap-2">
        <SubmitButton variant="primary" size="small" {...key}>
          Undo
        </SubmitButton>
      </ActionForm>
    </div>
  );
}
