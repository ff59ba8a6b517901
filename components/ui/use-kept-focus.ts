"use client";
import { useEffect } from "react";

/** For what can go from the page while it has the focus: the focus then stays in the page. */
export function useKeptFocus(): void {
  useEffect(
    () => () => void (document.activeElement === document.body && document.getElementById("main")?.focus()),
    [],
  );
}
