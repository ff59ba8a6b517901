"use client";
import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { addressOf, type InboxApproval } from "@/components/approvals/types";
import { onceRead } from "@/components/live/live-state";

const idIn = (path: string) => /^\/approvals\/(apr_[0-9a-v]{32})$/.exec(path)?.[1];

/** For how long a question has to have been in view before a press counts: one before that was meant for what stood there before. */
export const restMs = 700;
const restAfterLoadMs = 800;

/**
 * Which decision is open. It has its own address, and going from one to the next waits for nothing: the address changes
 * beside the page, whose server half answers to the same address when it is read again.
 */
export function useOpenApproval(opened: string | undefined, query: string, listAddress: string) {
  const [selected, setSelected] = useState(opened);
  const { arm, rest, isArmed } = useRest();
  const router = useRouter();
  const path = usePathname();

  // Back, forward, and the navigation's own link to the inbox.
  useEffect(() => {
    if (path.startsWith("/approvals")) setSelected(idIn(addressNow().replace(/\?.*/, "")));
  }, [path]);

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
  return { selected, select, arm, rest, isArmed };
}

/**
 * From when on presses count, once a question has been painted. One counts by when it began: a finger that is still down, or
 * on its second tap, answers nothing that it came to lie on.
 */
function useRest() {
  const [it] = useState(() => {
    let armedAt = Number.POSITIVE_INFINITY;
    let earliest = Number.POSITIVE_INFINITY;
    let began = 0;
    let round = 0;
    const set = (at: number) => {
      armedAt = at;
      // For whoever drives the page, too.
      document.documentElement.dataset.armedAt = String(at);
    };
    const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
    return {
      /** A question came into view, for whatever reason. */
      arm() {
        const mine = ++round;
        set(Number.POSITIVE_INFINITY);
        painted(() => mine === round && set(Math.max(performance.now() + restMs, earliest)));
      },
      /** Until another comes into view. */
      rest() {
        round++;
        set(Number.POSITIVE_INFINITY);
      },
      isArmed: () => began >= armedAt,
      listen() {
        earliest = performance.now() + restAfterLoadMs;
        it.arm();
        const stop = new AbortController();
        const begin = () => {
          began = performance.now();
        };
        const on = { capture: true, signal: stop.signal };
        document.addEventListener("pointerdown", begin, on);
        document.addEventListener("keydown", (event) => event.repeat || begin(), on);
        // Of a screen reader, say, that presses without a pointer.
        document.addEventListener("click", (event) => event.detail > 0 || begin(), on);
        return () => stop.abort();
      },
    };
  });
  useEffect(() => it.listen(), [it]);
  return it;
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

/** Has more of the list read, with the same question open. */
export function useGrow(): () => void {
  const router = useRouter();
  return useCallback(
    () =>
      onceRead(() => {
        const to = addressNow();
        address.next = undefined;
        if (!/[?&]rows=/.test(to)) router.replace(`${to}${to.includes("?") ? "&" : "?"}rows=50`, { scroll: false });
      }),
    [router],
  );
}

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
