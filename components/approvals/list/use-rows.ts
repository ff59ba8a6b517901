"use client";
import { useEffect, useState } from "react";
import type { Ending, InboxApproval } from "@/components/approvals/types";

/** How long a row that is done with stays, dimmed, so that nothing jumps under the owner's hand. */
const lingerMs = 4000;

type Leaving = { approval: InboxApproval; after: string | undefined };

/**
 * The rows to show: what the server lists, and for a moment what ended and is not listed any more, where it was. Rows keep
 * the server's order, so what arrives last in it appends at the end.
 * @param open the one that is open, which stays
 * @param answers what this page has answered
 */
export function useRows(
  listed: InboxApproval[],
  endings: Ending[],
  open: string | undefined,
  answers: ReadonlyMap<string, unknown>,
): InboxApproval[] {
  const [known, setKnown] = useState(listed);
  const [leaving, setLeaving] = useState<Leaving[]>([]);

  // A new list came: compare it with the one before, while rendering, so that no frame is without a row.
  if (known !== listed) {
    const now = new Set(listed.map(({ _id }) => _id));
    const gone = known.flatMap((approval, at) =>
      now.has(approval._id) ? [] : [{ approval, after: known[at - 1]?._id }],
    );
    setKnown(listed);
    setLeaving([...leaving.filter(({ approval }) => !now.has(approval._id)), ...gone]);
  }

  useEffect(() => {
    const done = leaving.filter(({ approval }) => approval._id !== open);
    if (done.length === 0) return;
    const timer = setTimeout(
      () => setLeaving((rows) => rows.filter((row) => row.approval._id === open || !done.includes(row))),
      lingerMs,
    );
    return () => clearTimeout(timer);
  }, [leaving, open]);

  if (leaving.length === 0) return listed;
  const how = new Map(endings.map((ending) => [ending.id, ending]));
  const rows = [...listed];
  for (const { approval, after } of leaving) {
    const ending = how.get(approval._id);
    const resolution = approval.resolution ?? ending?.resolution;
    // Gone without an ending: put off or muted somewhere else, or its time is over.
    if (!resolution && approval._id !== open && !answers.has(approval._id)) continue;
    const { held: _, ...desk } = approval.desk;
    const over = approval.expiresAt !== undefined && approval.expiresAt <= Date.now() + 1000;
    const gone = resolution
      ? { ...approval, desk, resolution, ...(ending?.byDefault && { byDefault: true as const }) }
      : { ...approval, ...(over && { deadlinePassed: true }) };
    rows.splice(placeAfter(rows, after), 0, gone);
  }
  return rows;
}

const placeAfter = (rows: InboxApproval[], after: string | undefined) =>
  after === undefined ? 0 : rows.findIndex(({ _id }) => _id === after) + 1 || rows.length;

/**
 * The same questions as the last time they were read, where nothing about them is new: each reading makes every object anew,
 * and would have every row drawn anew. (Backgrounds and additions are an app's texts, which never change.)
 */
export function useUnchanged(listed: InboxApproval[]): InboxApproval[] {
  const [known, setKnown] = useState(() => keep(listed, new Map()));
  if (known.from === listed) return known.kept;
  const next = keep(listed, known.byId);
  setKnown(next);
  return next.kept;
}

type Known = {
  from: InboxApproval[];
  kept: InboxApproval[];
  byId: Map<string, { approval: InboxApproval; text: string }>;
};

function keep(from: InboxApproval[], before: Known["byId"]): Known {
  const byId: Known["byId"] = new Map();
  for (const approval of from) {
    const { background, additions, ...rest } = approval;
    const added = additions.map(({ createdAt, body }) => [createdAt, body !== undefined]);
    const text = JSON.stringify([rest, background !== undefined, added]);
    const was = before.get(approval._id);
    byId.set(approval._id, was?.text === text ? was : { approval, text });
  }
  return { from, kept: from.map((approval) => byId.get(approval._id)?.approval ?? approval), byId };
}
