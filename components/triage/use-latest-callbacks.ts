"use client";
import { useInsertionEffect, useRef, useState } from "react";

type Actions = Record<string, (...given: never[]) => void>;

/** Returns stable functions that call the latest render's functions. For event handlers only. */
export function useLatest<T extends Actions>(actions: T): T {
  const latest = useRef(actions);
  useInsertionEffect(() => {
    latest.current = actions;
  });
  const [same] = useState(
    () =>
      Object.fromEntries(
        Object.keys(actions).map((name) => [name, (...given: never[]) => latest.current[name]?.(...given)]),
      ) as T,
  );
  return same;
}
