"use client";
import { useEffect, useRef } from "react";
import { sendAction } from "@/components/actions/send-action";
import { refreshPage } from "@/components/live/connection-and-refresh";
import { plural } from "@/lib/text/plural";
import type { FeedNotification } from "./feed-notification";
import type { FeedView } from "./feed-view";

/** Interval between announcements. */
const betweenMs = 5000;
/** The longest delay of a browser's timer. */
const maxTimerMs = 2 ** 31 - 1;

type Arrivals = {
  shown: readonly FeedNotification[];
  held: readonly FeedNotification[];
  place: FeedView["place"];
  seenAt: number | undefined;
  changesAt: number | undefined;
  announce: (words: string) => void;
};

/**
 * Announces notifications that arrive while the page is open, at most once in five seconds, and
 * reports displayed ones as seen.
 */
export function useArrivals({ shown, held, place, seenAt, changesAt, announce }: Arrivals) {
  const announced = useRef({ newest: newest(shown), saidAt: 0 });
  const all = [...held, ...shown];
  const top = newest(all);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is newest matters
  useEffect(() => {
    const it = announced.current;
    if (place !== "inbox" || top <= it.newest) return;
    const wait = Math.max(0, it.saidAt + betweenMs - Date.now());
    const timer = setTimeout(() => {
      const fresh = all.filter(({ surfacedAt }) => surfacedAt > it.newest).length;
      announce(plural(fresh, { one: "# new notification", other: "# new notifications" }));
      Object.assign(it, { newest: top, saidAt: Date.now() });
    }, wait);
    return () => clearTimeout(timer);
  }, [top, place]);

  const latest = shown.find(({ surfacedAt }) => surfacedAt === newest(shown));
  const latestId = latest?.id;
  const unseen = seenAt !== undefined && latest !== undefined && latest.surfacedAt > seenAt;
  useEffect(() => {
    if (!unseen || latestId === undefined) return;
    const see = async () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", see);
      const result = await sendAction("notification.see", new URLSearchParams({ upTo: latestId })).catch(
        () => undefined,
      );
      if (result?.ok) refreshPage();
    };
    document.addEventListener("visibilitychange", see);
    void see();
    return () => document.removeEventListener("visibilitychange", see);
  }, [unseen, latestId]);

  useEffect(() => {
    if (changesAt === undefined) return;
    const timer = setTimeout(refreshPage, Math.min(maxTimerMs, Math.max(1000, changesAt - Date.now() + 200)));
    return () => clearTimeout(timer);
  }, [changesAt]);
}

const newest = (items: readonly FeedNotification[]) => Math.max(0, ...items.map(({ surfacedAt }) => surfacedAt));
