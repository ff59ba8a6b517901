"use client";
import { useEffect } from "react";

/** Keeps the focus in the page when the focused component unmounts. */
export function useKeptFocus(): void {
  useEffect(
    () => () => void (document.activeElement === document.body && document.getElementById("main")?.focus()),
    [],
  );
}
