"use client";
import { useState } from "react";
import type { Asked } from "@/components/approvals/types";

/** Which of the questions that wait are picked, to do one thing with all of them: as they were then, or not at all. */
export function usePicked(waiting: Asked[]) {
  const [hashes, setHashes] = useState<ReadonlyMap<string, string>>(new Map());
  const pairs = (several: Asked[]) => several.map(({ _id, contentHash }) => [_id, contentHash] as const);
  return {
    picked: waiting.filter(({ _id, contentHash }) => hashes.get(_id) === contentHash),
    toggle: (asked: Asked) =>
      setHashes((now) =>
        now.get(asked._id) === asked.contentHash
          ? new Map([...now].filter(([id]) => id !== asked._id))
          : new Map([...now, ...pairs([asked])]),
      ),
    add: (several: Asked[]) => setHashes((now) => new Map([...now, ...pairs(several)])),
    clear: () => setHashes(new Map()),
  };
}
