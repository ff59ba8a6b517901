"use client";
import { useCallback, useEffect, useRef, useState } from "react";

/** Move the focus to the first element of this kind once the next frame is there. */
export function useFocus(): (selector: string) => void {
  const wanted = useRef<string>(undefined);
  const [, again] = useState(0);
  useEffect(() => {
    if (!wanted.current) return;
    const found = document.querySelector<HTMLElement>(wanted.current);
    wanted.current = undefined;
    found?.focus();
    found?.scrollIntoView({ block: "nearest" });
  });
  return useCallback((selector: string) => {
    wanted.current = selector;
    again((count) => count + 1);
  }, []);
}
