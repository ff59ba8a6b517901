"use client";
import { useInsertionEffect, useRef, useState } from "react";

type Acts = Record<string, (...given: never[]) => void>;

/** The same functions for as long as the component lives, each doing what the one of the latest render does. For events alone. */
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
