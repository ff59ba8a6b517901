"use client";
import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { type Asked, addressOf } from "./types";

const idInAddress = () => /^\/approvals\/(apr_[0-9a-v]{32})$/.exec(window.location.pathname)?.[1];

/** How long after a change of question an answer does not count, so that a second press cannot answer the next one. */
const guardMs = 400;
const guardAfterLoadMs = 800;

/**
 * Which decision is open. It has its own address, and going from one to the next waits for nothing: the address changes
 * beside the page, whose server half answers to the same address when it is read again.
 */
export function useSelection(opened: string | undefined, query: string, listAddress: string) {
  const [selected, setSelected] = useState(opened);
  const [armedAt, setArmedAt] = useState(Number.POSITIVE_INFINITY);
  const router = useRouter();
  const path = usePathname();

  useEffect(() => setArmedAt(performance.now() + guardAfterLoadMs), []);
  // Back, forward, and the navigation's own link to the inbox.
  useEffect(() => {
    if (path.startsWith("/approvals")) setSelected(idInAddress());
  }, [path]);

  const select = useCallback(
    (asked: Asked | undefined) => {
      const address = asked ? addressOf(asked._id) + query : listAddress;
      setSelected(asked?._id);
      setArmedAt(performance.now() + guardMs);
      if (asked && !asked.whole) router.replace(address, { scroll: false });
      else if (asked && !idInAddress()) window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
      // On a phone the next question starts at its top.
      if (!isWide()) window.scrollTo(0, 0);
    },
    [query, listAddress, router],
  );
  return { selected, select, isArmed: () => performance.now() >= armedAt };
}

/** Whether the address names no decision. */
export const isNothingOpen = () => idInAddress() === undefined;

/** Whether list and decision stand side by side. */
export const isWide = () => window.matchMedia("(min-width: 64rem)").matches;
