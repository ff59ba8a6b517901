"use client";
import { useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";

/** Which of the questions that wait are picked, to do one thing with all of them: as they were then, or not at all. */
export function usePicked(waiting: InboxApproval[]) {
  const [hashes, setHashes] = useState<ReadonlyMap<string, string>>(new Map());
  const pairs = (several: InboxApproval[]) => several.map(({ _id, contentHash }) => [_id, contentHash] as const);
  return {
    picked: waiting.filter(({ _id, contentHash }) => hashes.get(_id) === contentHash),
    toggle: (approval: InboxApproval) =>
      setHashes((now) =>
        now.get(approval._id) === approval.contentHash
          ? new Map([...now].filter(([id]) => id !== approval._id))
          : new Map([...now, ...pairs([approval])]),
      ),
    add: (several: InboxApproval[]) => setHashes((now) => new Map([...now, ...pairs(several)])),
    clear: () => setHashes(new Map()),
  };
}
