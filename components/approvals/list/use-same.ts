"use client";
import { useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";

/**
 * The same questions as the last time they were read, where nothing about them is new: each reading makes every object anew,
 * and would have every row drawn anew. (Backgrounds and additions are an app's texts, which never change.)
 */
export function useSame(listed: InboxApproval[]): InboxApproval[] {
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
