"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { isReachable, lookAgain, onLookAgain } from "./live-state";
import { follow } from "./stream";

type LiveProps = { pending: number; event: string; ownerId: string };

/** Keeps the open page current: reads it again when there is news, and puts the number of waiting approvals in the title. */
export function Live({ pending, event, ownerId }: LiveProps) {
  const router = useRouter();
  const [reading, startReading] = useTransition();
  const [said, say] = useState("");
  const state = useRef({ reading: false, again: false, event, pending, told: pending, toldAt: 0 });
  state.current.pending = pending;

  useEffect(() => {
    const look = () => {
      if (state.current.reading || document.hidden) {
        state.current.again = true;
        return;
      }
      state.current.again = false;
      state.current.reading = true;
      startReading(() => router.refresh());
    };
    const seen = async () => {
      if (!document.hidden && state.current.again && (await isReachable())) look();
    };
    const stop = onLookAgain(look);
    document.addEventListener("visibilitychange", seen);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [router]);

  // News that came while the page was being read are read right after.
  useEffect(() => {
    if (reading) return;
    state.current.reading = false;
    if (state.current.again) lookAgain();
  }, [reading]);

  useEffect(() => follow(ownerId, state.current.event, lookAgain), [ownerId]);

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
      if (fresh > 0) say(`${fresh} new ${fresh === 1 ? "approval" : "approvals"}, ${it.pending} waiting`);
      Object.assign(it, { told: it.pending, toldAt: Date.now() });
    }, wait);
    return () => clearTimeout(timer);
  }, [pending]);

  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, "");
      const title = pending > 0 ? `(${pending > 99 ? "99+" : pending}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, [pending]);

  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
