"use client";
import { useEffect, useMemo, useState } from "react";
import type { InboxApproval, RecentResolution } from "@/components/approvals/inbox-approval";
import { departedRows, isRestored, type RowRules } from "@/components/triage/refreshed-rows";
import { useRefreshedRows } from "@/components/triage/use-refreshed-rows";

/**
 * How long a dimmed row remains after its question left the list, in milliseconds. The delay keeps
 * rows from moving under the owner's finger.
 */
const lingerMs = 4000;

/** Keeps rows in the server's order and identifies each row by its question's ID. */
const asListed: RowRules<InboxApproval> = { idOf: ({ _id }) => _id, slotOf: ({ _id }) => _id, place: (row) => row };
const everythingStays = () => ({ stays: () => true, mayMove: true });

/**
 * Provides the rows to display: the server's list and, for a moment, the rows that left the list,
 * in their old positions.
 * @param open the open question, whose row stays
 * @param answers the answers given on this page
 */
export function useInboxRows(
  listed: readonly InboxApproval[],
  endings: readonly RecentResolution[],
  open: string | undefined,
  answers: ReadonlyMap<string, unknown>,
) {
  const { state, rows, hide, save, restore, drop } = useRefreshedRows(listed, asListed, everythingStays);
  const leaving = useMemo(() => departedRows(state, asListed), [state]);
  useEffect(() => {
    if (leaving.length === 0) return;
    const timer = setTimeout(
      () => drop(leaving.filter(({ _id }) => _id !== open && !isRestored(state, _id, performance.now()))),
      lingerMs,
    );
    return () => clearTimeout(timer);
  }, [leaving, open, state, drop]);

  const stays = (id: string) => id === open || answers.has(id) || isRestored(state, id, performance.now());
  return { rows: withEndings(rows, leaving, { endings, stays }), hidden: state.hidden, hide, save, restore };
}

type Endings = { endings: readonly RecentResolution[]; stays: (id: string) => boolean };

/** Returns the rows. A row that left the list shows how its question ended. */
export const withEndings = (
  rows: readonly InboxApproval[],
  leaving: readonly InboxApproval[],
  { endings, stays }: Endings,
): InboxApproval[] =>
  rows.flatMap((approval) => {
    if (!leaving.includes(approval)) return [approval];
    const ending = endings.find(({ id }) => id === approval._id);
    // A question that left without an ending was snoozed, muted or expired, so its row is removed.
    return approval.resolution || ending || stays(approval._id) ? [asEnded(approval, ending)] : [];
  });

function asEnded(approval: InboxApproval, ending: RecentResolution | undefined): InboxApproval {
  const resolution = approval.resolution ?? ending?.resolution;
  const { held: _, ...triage } = approval.triage;
  if (resolution) return { ...approval, triage, resolution, ...(ending?.byDefault && { byDefault: true as const }) };
  const { expiresAt, dueAt = expiresAt, frozen } = approval;
  const over = !frozen && dueAt !== undefined && dueAt <= Date.now() + 1000;
  return over ? { ...approval, deadlinePassed: true } : approval;
}

/**
 * Reuses the objects of unchanged questions, because the new objects of each refresh would
 * re-render every row. The texts of backgrounds and additions are not compared, because they never
 * change.
 */
export function useUnchanged(listed: InboxApproval[]): InboxApproval[] {
  const [known, setKnown] = useState(() => keep(listed, new Map()));
  if (known.from === listed) return known.kept;
  const next = keep(listed, known.byId);
  setKnown(next);
  return next.kept;
}

type RowCache = {
  from: InboxApproval[];
  kept: InboxApproval[];
  byId: Map<string, { approval: InboxApproval; text: string }>;
};

function keep(from: InboxApproval[], before: RowCache["byId"]): RowCache {
  const byId: RowCache["byId"] = new Map();
  for (const approval of from) {
    const { background, additions, ...rest } = approval;
    const added = additions.map(({ createdAt, body }) => [createdAt, body !== undefined]);
    const text = JSON.stringify([rest, background !== undefined, added]);
    const was = before.get(approval._id);
    byId.set(approval._id, was?.text === text ? was : { approval, text });
  }
  return { from, kept: from.map((approval) => byId.get(approval._id)?.approval ?? approval), byId };
}
