"use client";
import { ActionButton } from "@/components/actions/action-button";
import { Danger } from "@/components/approvals/danger";
import { areAlike, type InboxApproval } from "@/components/approvals/types";
import { KeyButton } from "@/components/keys/shortcut";
import { shouldKeepFocus } from "@/components/triage/focus";
import { Button } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";
import { useFormats } from "@/components/ui/time/formats";
import { countText, type Formats } from "@/lib/text/formats";
import { plural } from "@/lib/text/plural";
import type { ListBlock } from "./use-groups";
import { useLongPress } from "./use-selection";

type RowsProps = {
  blocks: ListBlock[];
  row: (approval: InboxApproval) => React.ReactNode;
  /** The open decision, whose group is marked while collapsed. */
  current: InboxApproval | undefined;
  onFold: (key: string, open: boolean) => void;
  /** The total of a group, on this page of the list and beyond it. */
  countOf: (key: string) => number;
  onSelectAll: (clientId: string) => void;
  onHeld: (id: string) => void;
};

/**
 * The rows of the list. Five or more questions of one app are grouped under its name. Questions
 * that wait for their app, and those of muted apps, are grouped at the end.
 */
export function Rows({ blocks, row, current, onFold, countOf, onSelectAll, onHeld }: RowsProps) {
  const formats = useFormats();
  const longPress = useLongPress(onHeld);
  return (
    <ul className="border-t border-line" {...longPress}>
      {blocks.map((block) =>
        block.kind === "row" ? (
          row(block.approval)
        ) : block.of === "app" && countOf(block.key) === 0 ? (
          block.open && block.rows.map(row)
        ) : (
          <li key={block.key} className="relative">
            <details open={block.open} data-fold={block.of === "app" ? "burst" : block.of} className="group/fold">
              {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature */}
              <summary
                onClick={(event) => {
                  event.preventDefault();
                  onFold(block.key, !block.open);
                }}
                className={`flex min-h-13 items-center gap-2.5 border-b border-line border-s-3 border-s-transparent bg-bg px-4 py-2 -outline-offset-2 hover:bg-raised ${current && !block.open && block.rows.includes(current) ? "lg:border-s-ink lg:bg-fill" : ""}`}
              >
                <ChevronIcon className="size-4 text-muted group-open/fold:rotate-90" />
                <span className={`min-w-0 ${block.of === "app" ? "pe-24" : ""}`}>
                  <bdi className="block truncate font-medium">{block.name}</bdi>
                  <span className="flex flex-wrap gap-x-2 text-xs text-muted tabular-nums">
                    {plural(
                      countOf(block.key),
                      { one: "# question", other: "# questions" },
                      countText(countOf(block.key), formats),
                    )}
                    {block.rows.some(({ risk }) => risk === "high") ? <Danger>High risk</Danger> : null}
                  </span>
                </span>
              </summary>
              <ul>
                {block.of === "muted"
                  ? byApp(block.rows).map(([first, rows]) => (
                      <li key={first.clientId} ref={shouldKeepFocus}>
                        <div className="flex items-center justify-between gap-2 border-b border-line px-4 py-1 text-xs text-muted">
                          <bdi className="min-w-0 truncate">{first.app.name}</bdi>
                          <ActionButton
                            of="approval.mute"
                            with={{ id: first._id, clientId: first.clientId, muted: "no" }}
                            variant="quiet"
                            size="small"
                          >
                            Unmute<span className="sr-only"> {first.app.name}</span>
                          </ActionButton>
                        </div>
                        <ul>{rows.map(row)}</ul>
                      </li>
                    ))
                  : block.rows.map(row)}
              </ul>
              {countOf(block.key) > block.rows.length ? (
                <p className="border-b border-line px-4 py-2 text-xs text-muted">
                  Showing {block.rows.length} of {countText(countOf(block.key), formats)}.
                </p>
              ) : null}
            </details>
            {block.of === "app" ? (
              <Button
                variant="quiet"
                size="small"
                onClick={() => onSelectAll(block.key)}
                className="absolute! inset-e-2 top-1 text-ink sm:top-2"
              >
                {inWords(countOf(block.key), formats)}
                <span className="sr-only"> from {block.name}</span>
              </Button>
            ) : null}
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

/** The selection's maximum size. */
const maxSelected = 1000;
const inWords = (count: number, formats: Formats) =>
  `Select ${count > maxSelected ? "the first" : "all"} ${countText(Math.min(count, maxSelected), formats)}`;

type SelectionBarProps = {
  selected: InboxApproval[];
  /** Whether selection mode is on without a selection. */
  picking: boolean;
  countOf: (key: string) => number;
  onAnswer: () => void;
  onSnooze: () => void;
  onSelectAll: (clientId: string) => void;
  onClear: () => void;
};

/** Why several questions cannot be answered together. */
export const unlike = (selected: InboxApproval[]): string =>
  selected.some(({ risk }) => risk === "high")
    ? "Answer high-risk questions one at a time"
    : "Only questions from one app with the same options can be answered together";

/**
 * Actions for the selected questions, over the end of the list, so that no row moves under a
 * finger. They can be answered together only if they are alike.
 */
export function SelectionBar({
  selected,
  picking,
  countOf,
  onAnswer,
  onSnooze,
  onSelectAll,
  onClear,
}: SelectionBarProps) {
  const formats = useFormats();
  const [first] = selected;
  if (!first && !picking) return null;
  const alike = areAlike(selected);
  const [ofApp, isOneApp] = [
    first ? countOf(first.clientId) : 0,
    selected.every(({ clientId }) => clientId === first?.clientId),
  ];
  return (
    <section
      ref={shouldKeepFocus}
      aria-label="Selection"
      className="sticky bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-10 mt-auto grid gap-1 border-t border-line bg-raised px-4 py-2 shadow-float sm:bottom-0"
    >
      <div className="flex items-center justify-between gap-2">
        <p className="font-semibold tabular-nums">
          {first ? `${countText(selected.length, formats)} selected` : "Tap questions to select them"}
        </p>
        <Button size="small" variant="quiet" className="-me-2" onClick={onClear}>
          {first ? "Clear" : "Cancel"}
        </Button>
      </div>
      {first ? (
        <div className="flex flex-wrap gap-2">
          {alike ? (
            <Button size="small" variant="primary" onClick={onAnswer}>
              {plural(
                selected.length,
                { one: "Answer it…", other: "Answer all #…" },
                countText(selected.length, formats),
              )}
            </Button>
          ) : null}
          <KeyButton shortcut="h" description="Snooze the questions" size="small" onClick={onSnooze}>
            Snooze…
          </KeyButton>
        </div>
      ) : null}
      {first && isOneApp && selected.length < Math.min(ofApp, maxSelected) ? (
        <button
          type="button"
          onClick={() => onSelectAll(first.clientId)}
          className="link inline-flex min-h-11 items-center justify-self-start font-medium sm:min-h-8"
        >
          {inWords(ofApp, formats)} from&nbsp;<bdi>{first.app.name}</bdi>
        </button>
      ) : null}
      {first && !alike ? <p className="text-xs text-muted">{unlike(selected)}.</p> : null}
    </section>
  );
}
