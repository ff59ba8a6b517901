import { unavailable } from "@/lib/errors";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Cancel, later } from "@/lib/work/timers";
import { SharedTexts } from "./shared-texts";

/*
 * Long responses to slow clients could fill the memory, so all connections share a limit. Clients
 * that read nothing are disconnected, and above the limit no further long response is created. So
 * slow clients cost no more than `maxKeptBytes` and the results of a few statements, whatever their
 * number.
 */

const mib = 1024 * 1024;
/**
 * Above this many bytes, the clients idle the longest are disconnected, and others wait before a
 * long response is created for them.
 */
const maxKeptBytes = 16 * mib;
/** Above this many bytes, even clients that are not slow yet are disconnected. */
const maxTotalBytes = 64 * mib;
/**
 * A client that reads nothing for this long is slow. Before that, responses that were ready
 * together only wait for each other (milliseconds).
 */
export const slowReader = { after: 1000 };
/**
 * The number of waiting requests that create a long response at a time, because its size is known
 * only then.
 */
const maxMaking = 2;
/**
 * After waiting this long for room (milliseconds), even clients that are not slow yet are
 * disconnected.
 */
const roomWait = 500;

type Reply = { destroy(): unknown };

class UnsentReplies {
  readonly texts = new SharedTexts();
  /** The unsent responses, those idle the longest first. */
  private readonly replies = new Map<Reply, { text: string; since: number }>();
  /** Requests waiting to create a long response, and how many of them are creating one. */
  private readonly waiting: (() => void)[] = [];
  private making = 0;
  private nextLook: Cancel | undefined;
  private impatience: Cancel | undefined;

  /** Whether further long responses must wait. One long text is kept whatever its size. */
  isFull(): boolean {
    return this.texts.bytes > maxKeptBytes && this.texts.count > 1;
  }

  add(reply: Reply, text: string, bytes: number): void {
    this.forget(reply);
    this.replies.set(reply, { text, since: performance.now() });
    this.texts.add(text, bytes);
    this.disconnectSlow();
  }

  remove(reply: Reply): void {
    this.forget(reply);
    this.admit();
  }

  room(): Promise<() => void> | undefined {
    if (!this.isFull() && this.waiting.length === 0) return undefined;
    return new Promise((resolve) => {
      this.waiting.push(() => resolve(() => this.made()));
      this.admit();
    });
  }

  private forget(reply: Reply): void {
    const unsent = this.replies.get(reply);
    if (!unsent) return;
    this.replies.delete(reply);
    this.texts.remove(unsent.text);
  }

  private made(): void {
    this.making--;
    // By then, the text is on its way to the client.
    setImmediate(() => this.admit());
  }

  /** Lets waiting requests create their responses, as far as there is room. */
  private admit(): void {
    while (this.waiting.length > 0 && this.making < maxMaking && !this.isFull()) {
      this.making++;
      this.waiting.shift()?.();
    }
    if (this.waiting.length > 0) this.impatience ??= later(roomWait, () => this.makeRoom());
    else {
      this.impatience?.();
      this.impatience = undefined;
    }
  }

  /** Disconnects clients, slow or not, until others have room. */
  private makeRoom(): void {
    this.impatience = undefined;
    for (const [reply] of this.replies) {
      if (!this.isFull()) break;
      this.disconnect(reply);
    }
    this.admit();
  }

  /** Disconnects slow clients while there is too much, and looks again when the next one is slow. */
  private disconnectSlow(): void {
    this.nextLook?.();
    for (const [reply, { since }] of this.replies) {
      if (!this.isFull()) return;
      const left = since + slowReader.after - performance.now();
      if (left > 0 && this.texts.bytes <= maxTotalBytes) {
        // If this process was blocked for as long, data that clients read meanwhile is counted
        // first.
        this.nextLook = later(left, () => setImmediate(() => this.disconnectSlow()));
        return;
      }
      this.disconnect(reply);
    }
  }

  private disconnect(reply: Reply): void {
    this.remove(reply);
    reply.destroy();
  }
}

const unsent = processSingleton("unsent responses", () => new UnsentReplies());

/** How many bytes wait for clients. */
export const unsentBytes = (): number => unsent().texts.bytes;

/** Whether further long responses must wait. */
export const isFull = (): boolean => unsent().isFull();

/** A response waits to be read. @param bytes of its text in memory */
export const noteUnsent = (reply: Reply, text: string, bytes: number): void => unsent().add(reply, text, bytes);

/** A response's client has read something or disconnected. */
export const noteTaken = (reply: Reply): void => unsent().remove(reply);

/**
 * Wait until another long response may be created.
 * @returns undefined if it may be created now; otherwise a function to call once it is created
 */
export const roomForReply = (): Promise<() => void> | undefined => unsent().room();

/** 503. */
export const tooMuchUnsent = () => unavailable("Too many responses are waiting for slow clients. Try again");
