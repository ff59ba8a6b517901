"use client";
import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { afterPaint } from "./after-paint";
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
    address.write();
    if (path.startsWith("/approvals")) setSelected(idInAddress());
  }, [path]);

  const select = useCallback(
    (asked: Asked | undefined) => {
      const to = asked ? addressOf(asked._id) + query : listAddress;
      setSelected(asked?._id);
      setArmedAt(performance.now() + guardMs);
      if (asked && !asked.whole) {
        address.write();
        router.replace(to, { scroll: false });
      } else address.becomes(to);
      // On a phone the next question starts at its top.
      if (!isWide()) window.scrollTo(0, 0);
    },
    [query, listAddress, router],
  );
  return { selected, select, isArmed: () => performance.now() >= armedAt };
}

/** The browser takes its time over an address: it is written once the question is in sight. */
const address = {
  next: undefined as string | undefined,
  becomes(to: string) {
    if (address.next === undefined) afterPaint(address.write);
    address.next = to;
  },
  write() {
    const { next } = address;
    address.next = undefined;
    // Gone to another page meanwhile: that one has its own.
    if (next === undefined || !window.location.pathname.startsWith("/approvals")) return;
    // From the list to a decision is a step that Back takes again; from one to the next is none.
    if (/^\/approvals\/apr_/.test(next) && !idInAddress()) window.history.pushState(null, "", next);
    else window.history.replaceState(null, "", next);
  },
};

/** Whether no decision was chosen. */
export const isNothingOpen = () => {
  address.write();
  return idInAddress() === undefined;
};

/** Whether list and decision stand side by side. */
export const isWide = () => window.matchMedia("(min-width: 64rem)").matches;
