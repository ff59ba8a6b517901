"use client";
import { connectionNow, isReachable, setConnection } from "./live-state";

const pollMs = 20_000;
type OnNews = (news?: { pending?: number; event?: string }) => void;

/**
 * Hear of news until told to stop. One tab of a browser holds the stream and tells the others, because over HTTP/1.1 a
 * browser has six connections for all of them; where tabs cannot agree on one, each has its own.
 * @param event the latest event that the page already shows
 * @param onNews is told what the latest event is and how many questions wait, where that is known
 * @returns how to stop
 */
export function follow(ownerId: string, event: string, onNews: OnNews): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  const name = `countersign-live-${ownerId}`;
  const tell = new BroadcastChannel(name);
  let holds = false;
  tell.onmessage = ({ data }) => {
    if (typeof data === "object") onNews(data);
    else if (data !== "how is it?") setConnection(data);
    else if (holds && connectionNow()) tell.postMessage(connectionNow());
  };
  tell.postMessage("how is it?");
  const open = () => {
    holds = true;
    return stream(event, signal, tell, onNews);
  };
  if (navigator.locks)
    navigator.locks.request(name, { signal }, open).catch(() => {
      // Stopped while waiting for its turn.
    });
  else void open();
  const offline = () => setConnection("offline");
  window.addEventListener("offline", offline, { signal });
  return () => {
    stopped.abort();
    tell.close();
  };
}

/** Hold the stream until stopped. While it cannot be had, ask for a fresh page every 20 seconds. */
function stream(event: string, signal: AbortSignal, tell: BroadcastChannel, onNews: OnNews): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let last = event;
    let poll: ReturnType<typeof setInterval> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const say = (connection: "live" | "reconnecting" | "offline") => {
      setConnection(connection);
      tell.postMessage(connection);
    };
    const connect = () => {
      source = new EventSource(`/live?after=${last}`);
      source.onopen = () => {
        clearInterval(poll);
        poll = undefined;
        say("live");
      };
      source.addEventListener("news", (message) => {
        last = message.lastEventId;
        const { pending } = JSON.parse(message.data) as { pending?: number };
        const news = pending === undefined ? {} : { pending, event: last };
        tell.postMessage(news);
        onNews(news);
      });
      source.onerror = () => {
        say(navigator.onLine ? "reconnecting" : "offline");
        poll ??= setInterval(async () => (await isReachable()) && onNews(), pollMs);
        // Refused for good (the browser itself retries after a break): try anew, as long as there is a page to keep current.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, 5000);
      };
    };
    connect();
    // Whatever the break did to the connection, a new one is sure.
    const anew = () => {
      source.close();
      clearTimeout(retry);
      say("reconnecting");
      connect();
    };
    window.addEventListener("online", anew, { signal });
    signal.addEventListener("abort", () => {
      source.close();
      clearInterval(poll);
      clearTimeout(retry);
      resolve();
    });
  });
}
