"use client";
import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { addressOf, type InboxApproval } from "@/components/approvals/types";
import { onceRead } from "@/components/live/live-state";

const idIn = (path: string) => /^\/approvals\/(apr_[0-9a-v]{32})$/.exec(path)?.[1];

/** How long after a question came into view an answer does not count: a press that was meant for what stood there before. */
const guardMs = 400;
const guardAfterLoadMs = 800;

/**
 * Which decision is open. It has its own address, and going from one to the next waits for nothing: the address changes
 * beside the page, whose server half answers to the same address when it is read again.
 */
export function useOpenApproval(opened: string | undefined, query: string, listAddress: string) {
  const [selected, setSelected] = useState(opened);
  const armedAt = useRef(Number.POSITIVE_INFINITY);
  const router = useRouter();
  const path = usePathname();

  /** Never sooner than what was said before. It stands in the document too, for whoever drives the page. */
  const armIn = useCallback((ms: number) => {
    armedAt.current = Math.max(armedAt.current, performance.now() + ms);
    document.documentElement.dataset.armedAt = String(armedAt.current);
  }, []);
  useEffect(() => {
    armedAt.current = 0;
    armIn(guardAfterLoadMs);
  }, [armIn]);
  // Back, forward, and the navigation's own link to the inbox.
  useEffect(() => {
    if (path.startsWith("/approvals")) setSelected(idIn(addressNow().replace(/\?.*/, "")));
  }, [path]);

  /** A question came into view, for whatever reason. */
  const arm = useCallback(() => armIn(guardMs), [armIn]);

  const select = useCallback(
    (approval: InboxApproval | undefined) => {
      const to = approval ? addressOf(approval._id) + query : listAddress;
      setSelected(approval?._id);
      arm();
      if (approval && !approval.whole) {
        address.next = undefined;
        const go = idIn(window.location.pathname) ? router.replace : router.push;
        go(to, { scroll: false });
      } else address.becomes(to);
      // The next question starts at its top.
      window.scrollTo(0, 0);
    },
    [query, listAddress, router, arm],
  );
  return { selected, select, arm, isArmed: () => performance.now() >= armedAt.current };
}

/** The browser takes its time over an address: it is written once what a key or click changed has been painted. */
const address = {
  next: undefined as string | undefined,
  becomes(to: string) {
    // In a hidden page too.
    if (address.next === undefined) setTimeout(() => onceRead(address.write));
    address.next = to;
  },
  write() {
    const { next } = address;
    address.next = undefined;
    // Gone to another page meanwhile: that one has its own.
    if (next === undefined || !window.location.pathname.startsWith("/approvals")) return;
    // From the list to a decision is a step that Back takes again; from one to the next is none.
    if (/^\/approvals\/apr_/.test(next) && !idIn(window.location.pathname)) window.history.pushState(null, "", next);
    else window.history.replaceState(null, "", next);
  },
};

/** The page's address, or what it is about to be. */
export const addressNow = () => address.next ?? window.location.pathname + window.location.search;

const wide = "(min-width: 64rem)";

/** Whether list and decision stand side by side. */
export const isWide = () => window.matchMedia(wide).matches;

/**
 * Whether there may be room for a decision beside the list. Where the browser says that it is a phone there is none until its
 * window turns out to be wide: what nobody sees is then neither sent nor made. Others get both, and style sheets choose.
 */
export const useRoomBeside = (phone: boolean): boolean =>
  useSyncExternalStore(
    whenWidthChanges,
    () => !phone || isWide(),
    () => !phone,
  );

const whenWidthChanges = (changed: () => void) => {
  const query = window.matchMedia(wide);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};
