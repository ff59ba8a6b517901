"use client";
import { useInsertionEffect, useRef, useState } from "react";

type Acts = Record<string, (...given: never[]) => void>;

/** Stable functions that call the latest render's versions. For event handlers only. */
export function useLatest<T extends Acts>(acts: T): T {
  const latest = useRef(acts);
  useInsertionEffect(() => {
    latest.current = acts;
  });
  const [same] = useState(
    () =>
      Object.fromEntries(
        Object.keys(acts).map((name) => [name, (...given: never[]) => latest.current[name]?.(...given)]),
      ) as T,
  );
  return same;
}
