"use client";
import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useState, useSyncExternalStore, useTransition } from "react";
import { addressOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { onceRead } from "@/components/live/connection-and-refresh";
import type { ListStore } from "@/components/triage/use-list-store";

const idIn = (path: string) => /^\/approvals\/(apr_[0-9a-v]{32})$/.exec(path)?.[1];

/**
 * How long a question must be in view before a press counts, in milliseconds. An earlier press was
 * meant for the previous question.
 */
export const restMs = 700;
const restAfterLoadMs = 800;

/**
 * Opens decisions, each at its own URL. If this page already has the decision, changes the URL only
 * through `history`. Otherwise, the router loads the decision.
 */
export function useOpenApproval({ dispatch }: ListStore, query: string, listAddress: string) {
  const { arm, rest, isArmed } = useRest();
  const router = useRouter();
  const path = usePathname();

  // Handles Back, Forward, and the navigation's link to the inbox.
  useEffect(() => {
    if (path.startsWith("/approvals")) dispatch({ type: "named", id: idIn(addressNow().replace(/\?.*/, "")) });
  }, [path, dispatch]);

  const select = useCallback(
    (approval: InboxApproval | undefined) => {
      const to = approval ? addressOf(approval._id) + query : listAddress;
      dispatch({ type: "named", id: approval?._id });
      arm();
      if (approval && !approval.whole) {
        address.next = undefined;
        const go = idIn(window.location.pathname) ? router.replace : router.push;
        go(to, { scroll: false });
      } else address.becomes(to);
      // Shows the next question from its top.
      window.scrollTo(0, 0);
    },
    [query, listAddress, router, arm, dispatch],
  );
  return { select, arm, rest, isArmed };
}

/**
 * Decides whether a press counts. A press counts only if it began a moment after the question was
 * painted. Therefore, a finger that is still down or a second tap does not answer a question that
 * appears under it.
 */
function useRest() {
  const [it] = useState(() => {
    let armedAt = Number.POSITIVE_INFINITY;
    let earliest = Number.POSITIVE_INFINITY;
    let began = 0;
    let round = 0;
    const set = (at: number) => {
      armedAt = at;
      // Exposed for automated tests of the page.
      document.documentElement.dataset.armedAt = String(at);
    };
    const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
    return {
      /** Called when a question comes into view. */
      arm() {
        const mine = ++round;
        set(Number.POSITIVE_INFINITY);
        painted(() => mine === round && set(Math.max(performance.now() + restMs, earliest)));
      },
      /** Ignores presses until another question comes into view. */
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
        // Some clicks have no pointer, for example those from a screen reader.
        document.addEventListener("click", (event) => event.detail > 0 || begin(), on);
        return () => stop.abort();
      },
    };
  });
  useEffect(() => it.listen(), [it]);
  return it;
}

/** Changing the URL is slow in some browsers, so it happens after the page is painted. */
const address = {
  next: undefined as string | undefined,
  becomes(to: string) {
    // Uses a timer, because hidden pages run timers but no animation frames.
    if (address.next === undefined) setTimeout(() => onceRead(address.write));
    address.next = to;
  },
  write() {
    const { next } = address;
    address.next = undefined;
    // If the owner has navigated to another page, that page keeps its own URL.
    if (next === undefined || !window.location.pathname.startsWith("/approvals")) return;
    // Opening a decision from the list adds a history entry. Moving between decisions does not.
    if (/^\/approvals\/apr_/.test(next) && !idIn(window.location.pathname)) window.history.pushState(null, "", next);
    else window.history.replaceState(null, "", next);
  },
};

/** Returns the selector for a question's row, or for the collapsed group that contains it. */
export const rowOf = (approval: InboxApproval | undefined) =>
  `[data-row="${approval?._id}"], [data-list] summary[aria-current]`;

/**
 * Loads more of the list while the same question stays open. If the URL changes during the load,
 * Next.js drops the load, and callers must try again.
 */
export function useGrow() {
  const router = useRouter();
  const [growing, start] = useTransition();
  const load = useCallback(() => {
    const to = addressNow();
    if (/[?&]rows=/.test(to)) return;
    address.next = undefined;
    start(() => router.replace(`${to}${to.includes("?") ? "&" : "?"}rows=50`, { scroll: false }));
  }, [router]);
  return { growing, grow: useCallback(() => onceRead(load), [load]) };
}

/** Returns the page's URL, or the URL about to replace it. */
export const addressNow = () => address.next ?? window.location.pathname + window.location.search;

const wide = "(min-width: 64rem)";

/** Whether the list and the decision are side by side. */
export const isWide = () => window.matchMedia(wide).matches;

/**
 * Whether the list and the decision may fit side by side. On a phone, the window's width decides.
 * On other devices, the page renders both, and CSS hides one of them if necessary.
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
