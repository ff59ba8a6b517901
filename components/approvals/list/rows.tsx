import { Act } from "@/components/acts/act";
import { Danger } from "@/components/approvals/danger";
import { areAlike, type InboxApproval } from "@/components/approvals/types";
import { KeyButton } from "@/components/keys/shortcut";
import { keepsFocus } from "@/components/triage/focus";
import { Button } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";
import type { Block } from "./use-folds";

type RowsProps = {
  blocks: Block[];
  row: (approval: InboxApproval) => React.ReactNode;
  /** The open decision, whose fold is marked while it is shut. */
  current: InboxApproval | undefined;
  onFold: (key: string, open: boolean) => void;
};

/** The rows of the list. Five or more of one app stand under its name; what waits for its app, and what muted apps ask, under a heading at the end. */
export function Rows({ blocks, row, current, onFold }: RowsProps) {
  return (
    <ul className="border-t border-line">
      {blocks.map((block) =>
        block.kind === "row" ? (
          row(block.approval)
        ) : (
          <li key={block.key}>
            <details open={block.open} data-fold={block.of === "app" ? "burst" : block.of} className="group/fold">
              {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature */}
              <summary
                onClick={(event) => {
                  event.preventDefault();
                  onFold(block.key, !block.open);
                }}
                className={`flex min-h-13 items-center gap-2.5 border-b border-line border-s-3 border-s-transparent bg-bg px-4 py-2 -outline-offset-2 hover:bg-raised ${current && !block.open && block.rows.includes(current) ? "lg:border-s-accent lg:bg-accent-soft" : ""}`}
              >
                <ChevronIcon className="size-4 text-muted group-open/fold:rotate-90" />
                <bdi className="min-w-0 truncate font-medium">{block.name}</bdi>
                {block.rows.some(({ risk }) => risk === "high") ? <Danger>High risk</Danger> : null}
                <span className="ms-auto shrink-0 text-xs text-muted tabular-nums">
                  {block.rows.length} {block.rows.length === 1 ? "question" : "questions"}
                </span>
              </summary>
              <ul>
                {block.of === "muted"
                  ? byApp(block.rows).map(([first, rows]) => (
                      <li key={first.clientId} ref={keepsFocus}>
                        <div className="flex items-center justify-between gap-2 border-b border-line px-4 py-1 text-xs text-muted">
                          <bdi className="min-w-0 truncate">{first.app.name}</bdi>
                          <Act
                            of="approval.mute"
                            with={{ id: first._id, clientId: first.clientId, muted: "no" }}
                            variant="quiet"
                            size="small"
                          >
                            Unmute<span className="sr-only"> {first.app.name}</span>
                          </Act>
                        </div>
                        <ul>{rows.map(row)}</ul>
                      </li>
                    ))
                  : block.rows.map(row)}
              </ul>
            </details>
          </li>
        ),
      )}
    </ul>
  );
}

function byApp(rows: InboxApproval[]): [InboxApproval, InboxApproval[]][] {
  const apps = new Map<string, [InboxApproval, InboxApproval[]]>();
  for (const approval of rows) {
    const app = apps.get(approval.clientId);
    if (app) app[1].push(approval);
    else apps.set(approval.clientId, [approval, [approval]]);
  }
  return [...apps.values()];
}

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
        <p className="me-auto font-semibold tabular-nums">{selected.length} selected</p>
        {alike ? (
          <Button size="small" variant="primary" onClick={onAnswer}>
            Answer {selected.length === 1 ? "it" : `all ${selected.length}`}…
          </Button>
        ) : null}
        <KeyButton shortcut="h" says="Snooze the questions" size="small" onClick={onSnooze}>
          Snooze…
        </KeyButton>
        <Button size="small" variant="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
      {alike ? null : (
        <p className="text-xs text-muted">
          {selected.some(({ risk }) => risk === "high")
            ? "High-risk questions are answered one at a time."
            : "Only questions from one app with the same options can be answered together."}
        </p>
      )}
    </section>
  );
}
