"use client";
import { useEffect, useRef, useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";

/** The number of one app's questions from which they are grouped. */
const burst = 5;

/** The list's blocks: single rows, and groups of one app's or an aside's rows. */
export type ListBlock =
  | { kind: "row"; approval: InboxApproval }
  | { kind: "fold"; key: string; name: string; of: "app" | Aside; open: boolean; rows: InboxApproval[] };

/**
 * Asides, listed after the pending questions: those that wait for their app, and those of muted
 * apps.
 */
type Aside = "asked" | "muted";

/**
 * Rows as blocks. Grouping is decided when the page opens or becomes visible, not on arrivals,
 * so that nothing closes or moves under the owner's finger.
 * @param counts pending questions by app, on this page of the list and beyond it
 * @param inside the open decision: its group opens, and stays open
 */
export function useGroups(rows: InboxApproval[], folds: boolean, counts: Counts, inside: string | undefined) {
  const [folded, setFolded] = useState(() => appsToGroup(rows, counts));
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const latest = useRef({ rows, counts });
  latest.current = { rows, counts };

  useEffect(() => {
    const seen = () => document.hidden || setFolded(appsToGroup(latest.current.rows, latest.current.counts));
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);

  const set = (key: string, open: boolean) => setChosen((all) => new Map(all).set(key, open));
  const home = rows.find(({ _id }) => _id === inside);
  const entered =
    home && folds ? (asideOf(home) ?? (folded.has(home.clientId) ? home.clientId : undefined)) : undefined;
  const [was, setWas] = useState<string>();
  const now = entered && `${entered} ${inside}`;
  if (now !== was) {
    setWas(now);
    if (entered) set(entered, true);
  }

  return { blocks: blocksOf(rows, folds ? { folded, chosen } : undefined), set };
}

type Counts = Record<string, number>;

type Folds = {
  /** The grouped apps. */
  folded: ReadonlySet<string>;
  /** The groups that the owner opened or closed. */
  chosen: ReadonlyMap<string, boolean>;
};

/** Rows as blocks; without `folds`, one block each. */
export function blocksOf(rows: readonly InboxApproval[], folds: Folds | undefined): ListBlock[] {
  const blocks: ListBlock[] = [];
  const byKey = new Map<string, ListBlock & { kind: "fold" }>();
  for (const approval of folds ? [...rows].sort((a, b) => rank(a) - rank(b)) : rows) {
    const aside = asideOf(approval);
    const key = foldOf(approval);
    if (!folds || !(aside || folds.folded.has(key))) {
      blocks.push({ kind: "row", approval });
      continue;
    }
    let fold = byKey.get(key);
    if (!fold) {
      const name = aside ? names[aside] : approval.app.name;
      const open = folds.chosen.get(key) ?? key === "asked";
      fold = { kind: "fold", key, name, of: aside ?? "app", open, rows: [] };
      byKey.set(key, fold);
      blocks.push(fold);
    }
    fold.rows.push(approval);
  }
  return blocks;
}

const names: Record<Aside, string> = { asked: "Waiting for the app", muted: "Muted apps" };
/** The key of a question's group: its aside, or its app. */
export const foldOf = (approval: InboxApproval): string => asideOf(approval) ?? approval.clientId;
const asideOf = ({ app, triage }: InboxApproval): Aside | undefined =>
  app.muted ? "muted" : triage.askedBack && !triage.held ? "asked" : undefined;
const rank = (approval: InboxApproval) => [undefined, "asked", "muted"].indexOf(asideOf(approval));

/** The navigation order: as displayed, without closed asides. */
export const inOrder = (blocks: ListBlock[]): InboxApproval[] =>
  blocks.flatMap((block) =>
    block.kind === "row" ? [block.approval] : block.of !== "app" && !block.open ? [] : block.rows,
  );

/** The apps with enough questions to push others out of view. */
export function appsToGroup(rows: readonly InboxApproval[], inAll: Counts): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const approval of rows) {
    const { clientId } = approval;
    if (!asideOf(approval)) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  }
  // With only one app, there are no other questions to push out of view.
  if (counts.size < 2) return new Set();
  return new Set(
    [...counts].filter(([id, count]) => Math.max(count, inAll[id] ?? 0) >= burst).map(([clientId]) => clientId),
  );
}
