import { unavailable } from "@/lib/errors";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Cancel, later } from "@/lib/work/timers";

/*
 * Long replies that wait in memory for their readers, on all connections together. Readers that take nothing are let go, and while too
 * much waits no further long reply is made. So readers that do not read cost no more than `mostKept` and what a few statements bring,
 * however many they are and however slow the computer is.
 */

const mib = 1024 * 1024;
/** Beyond this many bytes readers are let go that have taken nothing for longest, and others wait before a long reply is made for them. */
const mostKept = 16 * mib;
/** Beyond this many bytes readers are let go that are not slow yet. */
const mostEver = 64 * mib;
/** Who takes nothing for so long is slow. Before that, replies that were ready together only wait for each other (milliseconds). */
export const slowReader = { after: 1000 };
/** How many that had to wait make a long reply at a time: what they bring is known only then. */
const mostMaking = 2;
/** When others have waited for room for so long, readers are let go that are not slow yet (milliseconds). */
const roomWait = 500;

type Reply = { destroy(): unknown };
type Unsent = {
  /** What each still has, those in front that have taken nothing for longest. */
  kept: Map<Reply, { text: string; since: number }>;
  /** The same text may wait for several readers, and is in memory once. */
  texts: Map<string, { bytes: number; readers: number }>;
  bytes: number;
  /** Who waits to make a long reply, and how many that waited are making one. */
  waiting: (() => void)[];
  making: number;
  looking?: Cancel | undefined;
  makingRoom?: Cancel | undefined;
};
const unsent = processSingleton<Unsent>("unsent replies", () => ({
  kept: new Map(),
  texts: new Map(),
  bytes: 0,
  waiting: [],
  making: 0,
}));

/** How many bytes wait for their readers. */
export const unsentBytes = (): number => unsent().bytes;

/** One long text is kept whatever its size. */
const isOver = ({ texts, bytes }: Unsent, most: number) => bytes > most && texts.size > 1;
/** Whether further long replies have to wait. */
export const isFull = (): boolean => isOver(unsent(), mostKept);

/** A reply waits to be taken. @param bytes of its text in memory */
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

/** A reply's reader took something, or is gone. */
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
 * Wait until another long reply may be made.
 * @returns undefined where that is now; otherwise what to call once it is made
 */
export function roomForReply(): Promise<() => void> | undefined {
  const it = unsent();
  if (!isFull() && it.waiting.length === 0) return undefined;
  const made = () => {
    it.making--;
    // What was read is on its way to its reader by then.
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
export const tooMuchUnsent = () => unavailable("Too many replies wait for callers that do not read them. Try again");

function letGo(it: Unsent) {
  it.looking?.();
  for (const [reply, { since }] of it.kept) {
    if (!isOver(it, mostKept)) return;
    const left = since + slowReader.after - performance.now();
    if (left > 0 && it.bytes <= mostEver) {
      // Where this process was held up for as long, what was taken meanwhile is read first.
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
