"use client";
import { useState } from "react";
import type { Asked } from "./types";

/** Which of the questions that wait are picked, to do one thing with all of them. */
export function usePicked(waiting: Asked[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    picked: waiting.filter(({ _id }) => ids.has(_id)),
    toggle: ({ _id }: Asked) =>
      setIds((now) => new Set(now.has(_id) ? [...now].filter((id) => id !== _id) : [...now, _id])),
    add: (several: Asked[]) => setIds((now) => new Set([...now, ...several.map(({ _id }) => _id)])),
    clear: () => setIds(new Set()),
  };
}
