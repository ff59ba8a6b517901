"use client";
import { useEffect, useEffectEvent, useRef } from "react";
import type { InboxApproval } from "@/components/approvals/types";

/** Tell the owner when the app adds to the question that is open before them. */
export function useAdditions(current: InboxApproval | undefined, tell: (words: string) => void) {
  const known = useRef<{ id: string | undefined; count: number }>({ id: undefined, count: 0 });
  const id = current?.resolution ? undefined : current?._id;
  const count = current?.additions.length ?? 0;
  const look = useEffectEvent((id: string | undefined, count: number) => {
    const before = known.current;
    known.current = { id, count };
    if (id !== undefined && before.id === id && count > before.count)
      tell(`${current?.app.name} added to its question: read it before you answer`);
  });
  useEffect(() => look(id, count), [id, count]);
}
