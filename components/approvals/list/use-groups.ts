"use client";
import { useEffect, useRef, useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";

/** As many questions of one app stand under one heading. */
const burst = 5;

/** What the list is made of: single rows, and rows of one app, or of what stands aside, under a heading that opens. */
export type ListBlock =
  | { kind: "row"; approval: InboxApproval }
  | { kind: "fold"; key: string; name: string; of: "app" | Aside; open: boolean; rows: InboxApproval[] };

/** What stands after what waits: what waits for its app, and what muted apps ask. */
type Aside = "asked" | "muted";

/**
 * Rows as blocks. Which apps are folded is decided when the page is opened or comes back into view, and not when something
 * arrives: nothing closes or moves under the owner's hand.
 * @param counts how many wait of an app, on this page of the list and beyond it
 * @param inside the decision that was chosen: the fold that it is in opens, and stays open
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
  /** The apps whose questions stand under one heading. */
  folded: ReadonlySet<string>;
  /** What the owner opened or closed. */
  chosen: ReadonlyMap<string, boolean>;
};

/** Rows as blocks; without folds each by itself. */
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
/** By what a question's fold goes: its app, or as what it stands aside. */
export const foldOf = (approval: InboxApproval): string => asideOf(approval) ?? approval.clientId;
const asideOf = ({ app, triage }: InboxApproval): Aside | undefined =>
  app.muted ? "muted" : triage.askedBack && !triage.held ? "asked" : undefined;
const rank = (approval: InboxApproval) => [undefined, "asked", "muted"].indexOf(asideOf(approval));

/** The order in which one goes from question to question: as they stand, without what stands aside and is folded away. */
export const inOrder = (blocks: ListBlock[]): InboxApproval[] =>
  blocks.flatMap((block) =>
    block.kind === "row" ? [block.approval] : block.of !== "app" && !block.open ? [] : block.rows,
  );

/** The apps that ask so much at once that it would push others out of sight. */
export function appsToGroup(rows: readonly InboxApproval[], inAll: Counts): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const approval of rows) {
    const { clientId } = approval;
    if (!asideOf(approval)) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  }
  // Where one app alone asks there is nothing that its questions would push out of sight.
  if (counts.size < 2) return new Set();
  return new Set(
    [...counts].filter(([id, count]) => Math.max(count, inAll[id] ?? 0) >= burst).map(([clientId]) => clientId),
  );
}
