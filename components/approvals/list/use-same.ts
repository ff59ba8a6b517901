"use client";
import { useState } from "react";
import type { Asked } from "@/components/approvals/types";

/**
 * The same questions as the last time they were read, where nothing about them is new: each reading makes every object anew,
 * and would have every row drawn anew. (Backgrounds and additions are an app's texts, which never change.)
 */
export function useSame(listed: Asked[]): Asked[] {
  const [known, setKnown] = useState(() => keep(listed, new Map()));
  if (known.from === listed) return known.kept;
  const next = keep(listed, known.byId);
  setKnown(next);
  return next.kept;
}

type Known = { from: Asked[]; kept: Asked[]; byId: Map<string, { asked: Asked; text: string }> };

function keep(from: Asked[], before: Known["byId"]): Known {
  const byId: Known["byId"] = new Map();
  for (const asked of from) {
    const { background, additions, ...rest } = asked;
    const added = additions.map(({ createdAt, body }) => [createdAt, body !== undefined]);
    const text = JSON.stringify([rest, background !== undefined, added]);
    const was = before.get(asked._id);
    byId.set(asked._id, was?.text === text ? was : { asked, text });
  }
  return { from, kept: from.map((asked) => byId.get(asked._id)?.asked ?? asked), byId };
}
