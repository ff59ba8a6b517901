"use client";
import { covers } from "./compare-page-versions";
import { connectionNow, isReachable, setConnection } from "./connection-and-refresh";

const pollMs = 20_000;
/** The delays before reconnecting after a lost and after a rejected connection, in milliseconds. */
const [retryMs, refusedMs] = [2_000, 5_000];
/**
 * The silence after which a stream counts as broken, in milliseconds. The server sends a heartbeat
 * every 25 seconds.
 */
const silentMs = 70_000;

type Connection = "live" | "reconnecting" | "offline";
/**
 * The pending count, and the version of a page with that count. Both are absent if only a refresh
 * can determine them.
 */
type News = { pending?: number; version?: string };
type OnNews = (news: News) => void;

/**
 * Messages between tabs. `asks` requests the connection's state. `told` is a page version: every
 * tab has received the changes up to `told`, or the page that holds the stream includes them.
 */
type Message = { asks: true } | { news: News } | { connection: Connection; told: string };

/**
 * Subscribes to changes. One tab holds the stream and forwards changes to the others, because
 * browsers allow only six HTTP/1.1 connections for all tabs. Without the Web Locks API, each tab
 * has its own stream.
 * @param shown the version of the displayed page
 * @returns a function that ends the subscription
 */
export function subscribeAcrossTabs(ownerId: string, shown: () => string, onNews: OnNews): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  // The number must change with the message format, so that tabs with older scripts use a separate
  // stream.
  const name = `countersign-live-2-${ownerId}`;
  const channel = new BroadcastChannel(name);
  const post = (message: Message) => channel.postMessage(message);
  let known = shown();
  let holds = false;

  const hear = (news: News) => {
    known = news.version ?? known;
    onNews(news);
  };
  const learn = (connection: Connection, version: string) => {
    const before = connectionNow();
    setConnection(connection);
    known = version;
    // Refreshes the page, because changes during the disconnection may cause no event.
    if (connection === "live" && before && before !== "live") onNews({});
    // This page missed changes that other tabs have received.
    else if (!covers(shown(), version)) onNews({ version });
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("news" in data) hear(data.news);
    else if ("connection" in data) learn(data.connection, data.told);
    else if (holds) tellConnection();
  };
  const tellConnection = () => {
    const connection = connectionNow();
    if (connection) post({ connection, told: known });
  };
  post({ asks: true });

  const open = () => {
    holds = true;
    return stream(signal, {
      after: () => (covers(shown(), known) ? known : shown()),
      is(connection) {
        learn(connection, known);
        tellConnection();
      },
      onNews(news) {
        post({ news });
        hear(news);
      },
    });
  };
  if (navigator.locks)
    navigator.locks.request(name, { signal }, open).catch(() => {
      // The subscription was stopped while it waited for the lock.
    });
  else void open();
  window.addEventListener("offline", () => setConnection("offline"), { signal });
  return () => {
    stopped.abort();
    channel.close();
  };
}

type StreamHandlers = { after: () => string; is: (connection: Connection) => void; onNews: OnNews };

/**
 * Holds the stream until `signal` is aborted. Without a connection, requests a refresh of the pages
 * every 20 seconds.
 */
function stream(signal: AbortSignal, { after, is, onNews }: StreamHandlers): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let heardAt = Date.now();
    let poll: ReturnType<typeof setInterval> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      heardAt = Date.now();
    };
    const connect = () => {
      heard();
      const mine = new EventSource(`/live?after=${after()}`);
      source = mine;
      mine.onopen = () => {
        heard();
        clearInterval(poll);
        poll = undefined;
        is("live");
      };
      mine.addEventListener("beat", heard);
      mine.addEventListener("news", ({ data, lastEventId: version }) => {
        heard();
        const { pending } = JSON.parse(data) as { pending?: number };
        onNews(pending === undefined ? {} : { pending, version });
      });
      // Opens a new source, because EventSource would reconnect with the last event's ID instead of
      // the page's version.
      mine.onerror = () => {
        const refused = mine.readyState === EventSource.CLOSED;
        mine.close();
        is(navigator.onLine ? "reconnecting" : "offline");
        poll ??= setInterval(async () => (await isReachable()) && onNews({}), pollMs);
        retry = setTimeout(connect, refused ? refusedMs : retryMs);
      };
    };
    connect();
    // Opens a new connection, because the old one may be broken.
    const reconnect = () => {
      source.close();
      clearTimeout(retry);
      is("reconnecting");
      connect();
    };
    // Sleep breaks connections without an event.
    const watch = setInterval(() => {
      if (source.readyState === EventSource.OPEN && Date.now() - heardAt > silentMs) reconnect();
    }, pollMs);
    window.addEventListener("online", reconnect, { signal });
    signal.addEventListener("abort", () => {
      source.close();
      for (const timer of [poll, watch]) clearInterval(timer);
      clearTimeout(retry);
      resolve();
    });
  });
}
