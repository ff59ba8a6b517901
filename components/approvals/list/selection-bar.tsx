"use client";
import { areAlike, type InboxApproval } from "@/components/approvals/inbox-approval";
import { KeyButton } from "@/components/keyboard/use-shortcut";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { Button } from "@/components/ui/button";
import { countText, plural } from "@/lib/text/plural";
import { maxSelected, selectAllWords, unlike } from "./answer-question-or-selection";

type SelectionBarProps = {
  selected: InboxApproval[];
  countOf: (key: string) => number;
  onAnswer: () => void;
  onSnooze: () => void;
  onSelectAll: (clientId: string) => void;
  onClear: () => void;
  /** Clears the selection, for the dialog that replaces this component if it cannot be loaded. */
  onClose: () => void;
};

/**
 * Actions for the selected questions. The bar overlays the end of the list, so that no row moves.
 * The questions can be answered together only if they are alike.
 */
export function SelectionBar({ selected, countOf, ...on }: SelectionBarProps) {
  const [first] = selected;
  const alike = areAlike(selected);
  const ofApp = first ? Math.min(countOf(first.clientId), maxSelected) : 0;
  const isOneApp = selected.every(({ clientId }) => clientId === first?.clientId);
  return (
    <section
      ref={shouldKeepFocus}
      aria-label="Selection"
      className="sticky bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-10 mt-auto grid gap-1 border-t border-line bg-raised px-4 py-2 shadow-float sm:bottom-0"
    >
      <div className="flex items-center justify-between gap-2">
        <p role="status" className="font-semibold tabular-nums">
          {first ? `${countText(selected.length)} selected` : "Select questions"}
        </p>
        <Button size="small" variant="quiet" className="-me-2" onClick={on.onClear}>
          {first ? "Clear" : "Cancel"}
        </Button>
      </div>
      {first ? (
        <div className="flex flex-wrap gap-2">
          {alike ? (
            <Button size="small" variant="primary" onClick={on.onAnswer}>
              {plural(selected.length, { one: "Answer…", other: "Answer # questions…" }, countText(selected.length))}
            </Button>
          ) : null}
          <KeyButton cap={false} shortcut="h" description="Snooze the questions" size="small" onClick={on.onSnooze}>
            Snooze…
          </KeyButton>
        </div>
      ) : null}
      {first && isOneApp && selected.length < ofApp ? (
        <button
          ref={shouldKeepFocus}
          type="button"
          onClick={() => on.onSelectAll(first.clientId)}
          className="link inline-flex min-h-11 items-center justify-self-start font-medium sm:min-h-8"
        >
          {selectAllWords(ofApp, countText(ofApp))} from&nbsp;<bdi>{first.app.name}</bdi>
        </button>
      ) : null}
      {first && !alike ? <p className="text-xs text-muted">{unlike(selected)}.</p> : null}
    </section>
  );
}
