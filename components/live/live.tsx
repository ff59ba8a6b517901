"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { plural } from "@/lib/text/plural";
import { isReachable, onRefresh, refreshPage, setReading, useConnection } from "./live-state";
import { follow } from "./stream";
import { waitOutBreaks } from "./wait-out-breaks";
import { setWaiting, shownCount, useWaiting } from "./waiting";

type LiveProps = { pending: number; event: string; ownerId: string };

type State = {
  reading: boolean;
  /** To be read once more after that. */
  again: boolean;
  /** The latest event told of while the page is being read. */
  heard?: string | undefined;
  /** What this page shows, and what of it was said. */
  event: string;
  pending: number;
  told: number;
  toldAt: number;
};

/** News of what was just done here mostly come at once, and one reading of the page is enough for both. */
const soonMs = 60;

/** Keeps the open page current: reads it again when there is news, tells how many approvals wait, and when none can be heard of. */
export function Live({ pending, event, ownerId }: LiveProps) {
  const router = useRouter();
  const [reading, startReading] = useTransition();
  const [said, say] = useState("");
  const state = useRef<State>({ reading: false, again: false, event, pending, told: pending, toldAt: 0 });
  Object.assign(state.current, { pending, event });

  useEffect(() => {
    const it = state.current;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(soon);
      soon = undefined;
      if (it.reading || document.hidden) {
        it.again = true;
        return;
      }
      it.again = false;
      it.heard = undefined;
      it.reading = true;
      setReading(true);
      startReading(() => router.refresh());
    };
    const asked = () => {
      if (it.reading) it.again = true;
      else soon ??= setTimeout(look, soonMs);
    };
    const seen = async () => {
      if (!document.hidden && it.again && (await isReachable())) look();
    };
    const stops = [
      onRefresh(asked),
      follow(ownerId, it.event, (news) => {
        if (news?.pending !== undefined) setWaiting(news.pending);
        // What this page has read already is no news to it. What it is just reading may have it, which is known then.
        if (!news?.event) look();
        else if (it.reading) it.heard = news.event;
        else if (news.event !== it.event) look();
      }),
      () => clearTimeout(soon),
    ];
    document.addEventListener("visibilitychange", seen);
    return () => {
      for (const stop of stops) stop();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [router, ownerId]);

  useEffect(waitOutBreaks, []);

  // News that came while the page was being read are read right after.
  useEffect(() => {
    const it = state.current;
    if (reading) return;
    it.reading = false;
    setReading(false);
    if (it.again || (it.heard !== undefined && it.heard !== it.event)) refreshPage();
  }, [reading]);

  // At most one sentence in five seconds, about everything that came since the last.
  useEffect(() => {
    const it = state.current;
    if (pending <= it.told) {
      it.told = pending;
      return;
    }
    const wait = Math.max(0, it.toldAt + 5000 - Date.now());
    const timer = setTimeout(() => {
      const fresh = it.pending - it.told;
      if (fresh > 0)
        say(`${plural(fresh, { one: "# new approval", other: "# new approvals" })}, ${it.pending} waiting`);
      Object.assign(it, { told: it.pending, toldAt: Date.now() });
    }, wait);
    return () => clearTimeout(timer);
  }, [pending]);

  // What the server has just counted, unless the stream says something newer.
  useEffect(() => setWaiting(pending), [pending]);
  useBadges(useWaiting(pending));

  const connection = useConnection();
  const lost = connection && lostWords[connection];
  return (
    <>
      <p role="status" className="sr-only" data-owner={ownerId}>
        {said}
      </p>
      {/* Over the page, so that nothing moves under the finger; between what phones have in their corners. */}
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

const lostWords = { live: "", reconnecting: "Reconnecting…", offline: "Offline" };

/** Show how many wait outside the page: in its title, on its icon, and on the installed app's. */
function useBadges(count: number): void {
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, "");
      const title = count > 0 ? `(${shownCount(count)}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
      const href = `/favicon/${count > 9 ? "9-more" : count}.svg`;
      const icon = document.querySelector('link[rel="icon"]');
      if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    };
    show();
    // Going to another page writes both anew.
    const observer = new MutationObserver(show);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true, attributeFilter: ["href"] });
    return () => observer.disconnect();
  }, [count]);

  useEffect(() => {
    const told = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    // Not installed, or not allowed to.
    told?.catch(() => {});
  }, [count]);
}
