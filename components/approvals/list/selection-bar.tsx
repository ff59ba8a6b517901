"use client";
import { areAlike, type InboxApproval } from "@/components/approvals/types";
import { KeyButton } from "@/components/keys/shortcut";
import { keepsFocus } from "@/components/triage/focus";
import { Button } from "@/components/ui/button";

type SelectionBarProps = { selected: InboxApproval[]; onAnswer: () => void; onSnooze: () => void; onClear: () => void };

/** What can be done with the questions that are selected. They get one answer only where that is one and the same decision. */
export function SelectionBar({ selected, onAnswer, onSnooze, onClear }: SelectionBarProps) {
  if (selected.length === 0) return null;
  const alike = areAlike(selected);
  return (
    <section
      ref={keepsFocus}
      aria-label="Selection"
      className="sticky top-0 z-10 grid gap-1 border-y border-line bg-accent-soft px-4 py-2"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto font-semibold tabular-nums">{selected.length} selected</p>
        {alike ? (
          <Button size="small" variant="primary" onClick={onAnswer}>
            Answer {selected.length === 1 ? "it" : `all ${selected.length}`}…
          </Button>
        ) : null}
        <KeyButton shortcut="h" says="Snooze: put them off for a while" size="small" onClick={onSnooze}>
          Snooze…
        </KeyButton>
        <Button size="small" variant="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
      {alike ? null : (
        <p className="text-xs text-muted">
          Answered together are only questions of one app with the same options. Answer these one by one.
        </p>
      )}
    </section>
  );
}
