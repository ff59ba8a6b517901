import { unavailable } from "@/lib/errors";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Cancel, later } from "@/lib/work/timers";

/*
 * Long responses to slow clients could fill the memory, so all connections share a limit. Clients
 * that read nothing are disconnected, and above the limit no further long response is created. So
 * slow clients cost no more than `mostKept` and the results of a few statements, whatever their
 * number.
 */

const mib = 1024 * 1024;
/**
 * Above this many bytes, the clients idle the longest are disconnected, and others wait before a
 * long response is created for them.
 */
const mostKept = 16 * mib;
/** Above this many bytes, even clients that are not slow yet are disconnected. */
const mostEver = 64 * mib;
/**
 * A client that reads nothing for this long is slow. Before that, responses that were ready
 * together only wait for each other (milliseconds).
 */
export const slowReader = { after: 1000 };
/**
 * The number of waiting requests that create a long response at a time, because its size is known
 * only then.
 */
const mostMaking = 2;
/**
 * After waiting this long for room (milliseconds), even clients that are not slow yet are
 * disconnected.
 */
const roomWait = 500;

type Reply = { destroy(): unknown };
type Unsent = {
  /** The unsent part of each response, those idle the longest first. */
  kept: Map<Reply, { text: string; since: number }>;
  /** The same text may wait for several clients, and is in memory once. */
  texts: Map<string, { bytes: number; readers: number }>;
  bytes: number;
  /** Requests waiting to create a long response, and how many of them are creating one. */
  waiting: (() => void)[];
  making: number;
  looking?: Cancel | undefined;
  makingRoom?: Cancel | undefined;
};
const unsent = processSingleton<Unsent>("unsent responses", () => ({
  kept: new Map(),
  texts: new Map(),
  bytes: 0,
  waiting: [],
  making: 0,
}));

/** How many bytes wait for clients. */
export const unsentBytes = (): number => unsent().bytes;

/** One long text is kept whatever its size. */
const isOver = ({ texts, bytes }: Unsent, most: number) => bytes > most && texts.size > 1;
/** Whether further long responses must wait. */
export const isFull = (): boolean => isOver(unsent(), mostKept);

/** A response waits to be read. @param bytes of its text in memory */
export function noteUnsent(reply: Reply, text: string, bytes: number): void {
  const it = unsent();
  forget(it, reply);
  it.kept.set(reply, { text, since: performance.now() });
  const known = it.texts.get(text);
  if (known) known.readers++;
  else {
    it.texts.set(text, { bytes, readers: 1 });
    it.bytes += bytes;
  }
  letGo(it);
}

/** A response's client has read something or disconnected. */
export function noteTaken(reply: Reply): void {
  const it = unsent();
  forget(it, reply);
  next(it);
}

function next(it: Unsent) {
  while (it.waiting.length > 0 && it.making < mostMaking && !isOver(it, mostKept)) {
    it.making++;
    it.waiting.shift()?.();
  }
  if (it.waiting.length > 0) it.makingRoom ??= later(roomWait, () => makeRoom(it));
  else {
    it.makingRoom?.();
    it.makingRoom = undefined;
  }
}

function forget(it: Unsent, reply: Reply) {
  const { text } = it.kept.get(reply) ?? {};
  if (text === undefined) return;
  it.kept.delete(reply);
  const known = it.texts.get(text);
  if (!known || --known.readers > 0) return;
  it.texts.delete(text);
  it.bytes -= known.bytes;
}

/**
 * Wait until another long response may be created.
 * @returns undefined if it may be created now; otherwise a function to call once it is created
 */
export function roomForReply(): Promise<() => void> | undefined {
  const it = unsent();
  if (!isFull() && it.waiting.length === 0) return undefined;
  const made = () => {
    it.making--;
    // By then, the text is on its way to the client.
    setImmediate(next, it);
  };
  return new Promise((resolve) => {
    it.waiting.push(() => resolve(made));
    next(it);
  });
}

function makeRoom(it: Unsent) {
  it.makingRoom = undefined;
  for (const [reply] of it.kept) {
    if (!isOver(it, mostKept)) break;
    end(reply);
  }
  next(it);
}

/** 503. */
export const tooMuchUnsent = () => unavailable("Too many responses are waiting for slow clients. Try again");

function letGo(it: Unsent) {
  it.looking?.();
  for (const [reply, { since }] of it.kept) {
    if (!isOver(it, mostKept)) return;
    const left = since + slowReader.after - performance.now();
    if (left > 0 && it.bytes <= mostEver) {
      // If this process was blocked for as long, data that clients read meanwhile is counted first.
      it.looking = later(left, () => setImmediate(letGo, it));
      return;
    }
    end(reply);
  }
}

function end(reply: Reply) {
  noteTaken(reply);
  reply.destroy();
}
