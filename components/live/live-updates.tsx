"use client";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useTransition } from "react";
import { plural } from "@/lib/text/plural";
import { covers } from "./compare-page-versions";
import { isReachable, onRefresh, refreshPage, setReading, useConnection } from "./connection-and-refresh";
import { forgetInboxCount, setWaiting, shownCount, useWaiting } from "./pending-count";
import { reannounce } from "./reannounce";
import { retryPageFetch } from "./retry-page-fetch";
import { subscribeAcrossTabs } from "./tab-shared-stream";

/** The page as displayed. Each refresh creates a new object, even if nothing changed. */
type ShownPage = { pending: number; version: string };
type State = {
  shown: ShownPage;
  /** The displayed page and the latest change, as of the start of the current refresh. */
  reading?: { shown: ShownPage; heard: string | undefined } | undefined;
  /** Whether to refresh regardless of the versions. */
  requested: boolean;
  /**
   * The version of the latest change. Undefined once a refresh that began after the change is
   * complete.
   */
  heard?: string | undefined;
  /** The last announced count, and the time of the announcement. */
  announced: number;
  announcedAt: number;
};

/**
 * The delay before a refresh, in milliseconds. The event for this page's own action usually arrives
 * within it, so that one refresh covers both.
 */
const debounceMs = 60;
/** The interval between attempts to reach the server, in milliseconds. */
const retryMs = 1000;

const isBehind = ({ requested, heard, shown }: State) =>
  requested || (heard !== undefined && !covers(shown.version, heard));

/**
 * Keeps the open page current: refreshes it after changes, announces new approvals, and shows a
 * lost connection. Invariant: a change counts as displayed only once the page's version covers it.
 * Until then, the page is refreshed again when possible.
 */
export function Live({ shown, ownerId }: { shown: ShownPage; ownerId: string }) {
  const { pending } = shown;
  const state = useRef<State>({ shown, requested: false, announced: pending, announcedAt: 0 });
  const reading = useRefreshes(state, ownerId);
  useEffect(retryPageFetch, []);
  // In an effect, so that only a committed page counts, not one that is still being rendered.
  useEffect(() => {
    state.current.shown = shown;
  }, [shown]);
  useRead(state, reading);
  const waiting = useWaiting(pending);
  const message = useAnnouncement(state, pending, waiting);

  // Uses the server's count until the stream reports a newer one.
  useLayoutEffect(() => setWaiting(pending), [pending]);
  useBadges(waiting);

  const connection = useConnection();
  const lost = connection && lostWords[connection];
  return (
    <>
      <p role="status" className="sr-only" data-owner={ownerId} data-connection={connection}>
        {message}
      </p>
      {/* Overlays the page, so that nothing moves. Leaves the corners free for the controls on
          phones. */}
      <p role="status" className="pointer-events-none fixed inset-x-0 top-2 z-30 text-center sm:top-0.5">
        {lost ? (
          <span className="inline-block rounded-full border border-warn bg-warn-soft px-3 py-1 text-xs font-medium shadow-float">
            {lost}
          </span>
        ) : null}
      </p>
    </>
  );
}

type StateRef = React.RefObject<State>;

/**
 * Refreshes the page after a change or on request.
 * @returns whether a refresh is in progress
 */
function useRefreshes(state: StateRef, ownerId: string): boolean {
  const router = useRouter();
  const [reading, startReading] = useTransition();
  useEffect(() => {
    const it = state.current;
    const stopped = new AbortController();
    const { signal } = stopped;
    let soon: ReturnType<typeof setTimeout> | undefined;
    let trying = false;
    const look = () => {
      clearTimeout(soon);
      soon = undefined;
      if (it.reading || document.hidden || !isBehind(it)) return;
      it.requested = false;
      it.reading = { shown: it.shown, heard: it.heard };
      setReading(true);
      startReading(() => router.refresh());
    };
    const ask = () => {
      it.requested = true;
      if (!it.reading) soon ??= setTimeout(look, debounceMs);
    };
    const catchUp = async () => {
      if (trying) return;
      trying = true;
      while (!signal.aborted && !document.hidden && !it.reading && isBehind(it)) {
        if (await isReachable()) look();
        else await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
      trying = false;
    };
    const stops = [
      onRefresh(ask),
      subscribeAcrossTabs(
        ownerId,
        () => it.shown.version,
        ({ pending, version }) => {
          if (pending !== undefined) setWaiting(pending);
          if (document.hidden) forgetInboxCount();
          if (version === undefined) it.requested = true;
          else if (it.heard === undefined || !covers(it.heard, version)) it.heard = version;
          look();
        },
      ),
      () => clearTimeout(soon),
      () => stopped.abort(),
    ];
    document.addEventListener("visibilitychange", catchUp, { signal });
    // A page restored from the back/forward cache has missed all changes.
    window.addEventListener("pageshow", ({ persisted }) => persisted && ask(), { signal });
    return () => {
      for (const stop of stops) stop();
    };
  }, [router, ownerId, state]);
  return reading;
}

/** Records the state that a completed refresh displayed. */
function useRead(state: StateRef, reading: boolean): void {
  useEffect(() => {
    const it = state.current;
    if (reading) return;
    // Next.js discards a refresh when the owner navigates during it.
    if (it.reading?.shown === it.shown) it.requested = true;
    else if (it.reading && it.reading.heard === it.heard) it.heard = undefined;
    it.reading = undefined;
    setReading(false);
    if (isBehind(it)) refreshPage();
  }, [reading, state]);
}

/** Announces new questions at most once in five seconds. */
function useAnnouncement(state: StateRef, pending: number, waiting: number): string {
  const [message, setMessage] = useState("");
  const inWords = useEffectEvent(
    (fresh: number) => `${plural(fresh, { one: "# new question", other: "# new questions" })}, ${waiting} waiting`,
  );
  useEffect(() => {
    const it = state.current;
    if (pending <= it.announced) {
      it.announced = pending;
      return;
    }
    const wait = Math.max(0, it.announcedAt + 5000 - Date.now());
    const timer = setTimeout(() => {
      const now = it.shown.pending;
      const fresh = now - it.announced;
      const words = inWords(fresh);
      if (fresh > 0) setMessage((before) => reannounce(words, before));
      Object.assign(it, { announced: now, announcedAt: Date.now() });
    }, wait);
    return () => clearTimeout(timer);
  }, [pending, state]);
  return message;
}

const lostWords = { live: "", reconnecting: "Reconnecting…", offline: "Offline" };

/** Shows the pending count in the title, on the favicon and on the installed app's icon. */
function useBadges(count: number): void {
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, "");
      const title = count > 0 ? `(${shownCount(count)}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
      const href = `/favicon/${count > 9 ? "9-more" : count}.svg`;
      // A refresh may add another icon, and browsers show the last one.
      for (const icon of document.querySelectorAll('link[rel="icon"]'))
        if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    };
    show();
    // Navigation resets the title and the icons.
    const observer = new MutationObserver(show);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true, attributeFilter: ["href"] });
    return () => observer.disconnect();
  }, [count]);

  useEffect(() => {
    const badged = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    // Fails if the app is not installed or has no permission. The title and the favicon still show
    // the count.
    badged?.catch(() => {});
  }, [count]);
}
