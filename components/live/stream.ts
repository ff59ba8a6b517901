"use client";
import { connectionNow, isReachable, setConnection } from "./live-state";
import { covers } from "./version";

const pollMs = 20_000;
/** Until the next attempt: after a break, and after the service refused. */
const [againMs, refusedMs] = [2_000, 5_000];
/** The service says something every 25 seconds: a stream that has been silent for longer than this is broken. */
const silentMs = 70_000;

type Connection = "live" | "reconnecting" | "offline";
/** How many questions wait, and the version of the page that shows it; nothing where only reading the page can tell. */
type News = { pending?: number; version?: string };
type OnNews = (news: News) => void;

/**
 * What tabs tell each other. `told`: everything up to this version has been told to every tab, or is in the page of the tab that
 * holds the stream.
 */
type Message = { asks: true } | { news: News } | { connection: Connection; told: string };

/**
 * Hear of news until stopped. One tab of a browser holds the stream and tells the others, because over HTTP/1.1 a browser has
 * six connections for all of them; where tabs cannot agree on one, each has its own.
 * @param shown the version of the page as it is shown now
 * @returns how to stop
 */
export function subscribeAcrossTabs(ownerId: string, shown: () => string, onNews: OnNews): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  // Its number changes with the messages: tabs with scripts from before an update hold a stream of their own.
  const name = `countersign-live-2-${ownerId}`;
  const channel = new BroadcastChannel(name);
  const post = (message: Message) => channel.postMessage(message);
  let told = shown();
  let holds = false;

  const hear = (news: News) => {
    told = news.version ?? told;
    onNews(news);
  };
  const learn = (connection: Connection, upTo: string) => {
    const before = connectionNow();
    setConnection(connection);
    told = upTo;
    // What was missed in a break, and shows neither in an event nor in a count, is found by reading.
    if (connection === "live" && before && before !== "live") onNews({});
    // This page was read before the stream began, and heard nothing of what came in between.
    else if (!covers(shown(), upTo)) onNews({ version: upTo });
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("news" in data) hear(data.news);
    else if ("connection" in data) learn(data.connection, data.told);
    else if (holds) tellConnection();
  };
  const tellConnection = () => {
    const connection = connectionNow();
    if (connection) post({ connection, told });
  };
  post({ asks: true });

  const open = () => {
    holds = true;
    return stream(signal, {
      after: () => (covers(shown(), told) ? told : shown()),
      is(connection) {
        learn(connection, told);
        tellConnection();
      },
      tells(news) {
        post({ news });
        hear(news);
      },
    });
  };
  if (navigator.locks)
    navigator.locks.request(name, { signal }, open).catch(() => {
      // Stopped while waiting for its turn.
    });
  else void open();
  window.addEventListener("offline", () => setConnection("offline"), { signal });
  return () => {
    stopped.abort();
    channel.close();
  };
}

type Told = { after: () => string; is: (connection: Connection) => void; tells: OnNews };

/** Hold the stream until stopped. While there is none, have the pages read every 20 seconds. */
function stream(signal: AbortSignal, { after, is, tells }: Told): Promise<void> {
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
        tells(pending === undefined ? {} : { pending, version });
      });
      // The browser would connect again by itself, and name what it was told last instead of what the page shows.
      mine.onerror = () => {
        const refused = mine.readyState === EventSource.CLOSED;
        mine.close();
        is(navigator.onLine ? "reconnecting" : "offline");
        poll ??= setInterval(async () => (await isReachable()) && tells({}), pollMs);
        retry = setTimeout(connect, refused ? refusedMs : againMs);
      };
    };
    connect();
    // Whatever the break did to the connection, a new one is sure.
    const anew = () => {
      source.close();
      clearTimeout(retry);
      is("reconnecting");
      connect();
    };
    // Also after the computer slept, which breaks connections without a word.
    const watch = setInterval(() => {
      if (source.readyState === EventSource.OPEN && Date.now() - heardAt > silentMs) anew();
    }, pollMs);
    window.addEventListener("online", anew, { signal });
    signal.addEventListener("abort", () => {
      source.close();
      for (const timer of [poll, watch]) clearInterval(timer);
      clearTimeout(retry);
      resolve();
    });
  });
}
