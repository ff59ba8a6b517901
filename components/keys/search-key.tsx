"use client";
import { useKeys } from "./keys";

/** Lets `/` lead to the page's search, as long as it is there. */
export function SearchKey() {
  useKeys("Search", [
    {
      keys: "/",
      says: "Search",
      run: () => {
        const box = document.querySelector<HTMLInputElement>("[data-search]");
        if (!box?.getClientRects().length) return false;
        box.focus();
        box.select();
      },
    },
  ]);
  return null;
}
