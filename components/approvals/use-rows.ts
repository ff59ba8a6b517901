"use client";
import { useEffect, useState } from "react";
import type { Asked, Ending } from "./types";

/** How long a row that is done with stays, dimmed, so that nothing jumps under the owner's hand. */
const lingerMs = 4000;

/**
 * The rows to show: what the server lists, and for a moment what it has stopped listing. Rows keep their order, oldest
 * first, so what arrives appends at the end.
 */
export function useRows(listed: Asked[], endings: Ending[], open: string | undefined): Asked[] {
  const [known, setKnown] = useState(listed);
  const [leaving, setLeaving] = useState<Asked[]>([]);

  // A new list came: compare it with the one before, while rendering, so that no frame is without a row.
  if (known !== listed) {
    const now = new Set(listed.map(({ _id }) => _id));
    setKnown(listed);
    setLeaving([...leaving.filter(({ _id }) => !now.has(_id)), ...known.filter(({ _id }) => !now.has(_id))]);
  }

  useEffect(() => {
    const done = leaving.filter(({ _id }) => _id !== open);
    if (done.length === 0) return;
    const timer = setTimeout(
      () => setLeaving((rows) => rows.filter((row) => row._id === open || !done.includes(row))),
      lingerMs,
    );
    return () => clearTimeout(timer);
  }, [leaving, open]);

  if (leaving.length === 0) return listed;
  const how = new Map(endings.map(({ id, resolution }) => [id, resolution]));
  const gone = leaving.map((asked) => {
    const resolution = asked.resolution ?? how.get(asked._id);
    return resolution ? { ...asked, resolution } : asked;
  });
  return [...listed, ...gone].sort(byTime);
}

const byTime = (one: Asked, other: Asked) => one._creationTime - other._creationTime || (one._id < other._id ? -1 : 1);
