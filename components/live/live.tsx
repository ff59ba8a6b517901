"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { plural } from "@/lib/text/plural";
import { isReachable, onRefresh, refreshPage, setReading, useConnection } from "./live-state";
import { follow } from "./stream";
import { waitOutBreaks } from "./wait-out-breaks";
import { setWaiting, shownCount, useWaiting } from "./waiting";

type LiveProps = { pending: number; event: string; ownerId: string };

/** Keeps the open page current: reads it again when there is news, tells how many approvals wait, and when none can be heard of. */
export function Live({ pending, event, ownerId }: LiveProps) {
  const router = useRouter();
  const [reading, startReading] = useTransition();
  const [said, say] = useState("");
  const state = useRef({ reading: false, again: false, event, pending, told: pending, toldAt: 0 });
  Object.assign(state.current, { pending, event });

  useEffect(() => {
    const look = () => {
      if (state.current.reading || document.hidden) {
        state.current.again = true;
        return;
      }
      state.current.again = false;
      state.current.reading = true;
      setReading(true);
      startReading(() => router.refresh());
    };
    const seen = async () => {
      if (!document.hidden && state.current.again && (await isReachable())) look();
    };
    const stop = onRefresh(look);
    document.addEventListener("visibilitychange", seen);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [router]);

  useEffect(waitOutBreaks, []);

  // News that came while the page was being read are read right after.
  useEffect(() => {
    if (reading) return;
    state.current.reading = false;
    setReading(false);
    if (state.current.again) refreshPage();
  }, [reading]);

  useEffect(
    () =>
      follow(ownerId, state.current.event, (news) => {
        if (news?.pending !== undefined) setWaiting(news.pending);
        // What this page has read already is no news to it, unless it is just reading what was before.
        if (state.current.reading || news?.event !== state.current.event) refreshPage();
      }),
    [ownerId],
  );

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
