import { clock } from "@/lib/clock";
import { unavailable } from "@/lib/errors";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Cancel, later } from "@/lib/work/timer-registry";
import { SharedTexts } from "./text-memory-counter";

/*
 * Long responses to slow clients could fill the memory, so all connections share a limit. Above the
 * limit, clients that read nothing are disconnected, and no further long response is created. No
 * matter how many clients are slow, their responses take at most `maxKeptBytes` plus the results of
 * a few statements.
 */

const mib = 1024 * 1024;
/**
 * Above this many bytes, slow clients are disconnected, and other clients wait before their long
 * responses are created.
 */
const maxKeptBytes = 16 * mib;
/** Above this many bytes, clients are disconnected even if they are not slow yet. */
const maxTotalBytes = 64 * mib;
/**
 * How long a client must read nothing to count as slow, in milliseconds. Shorter pauses are normal
 * when several responses become ready at the same time.
 */
export const slowReader = { after: 1000 };
/**
 * The maximum number of requests that create a long response at the same time. The size of a
 * response is unknown until it is created.
 */
const maxMaking = 2;
/**
 * How long a request waits for room, in milliseconds, before clients are disconnected even if they
 * are not slow yet.
 */
const roomWait = 500;

type Reply = { destroy(): unknown };

class UnsentReplies {
  readonly texts = new SharedTexts();
  /** The unsent responses, longest idle first. */
  private readonly replies = new Map<Reply, { text: string; since: number }>();
  /**
   * The requests that wait to create a long response, and the number of requests that are creating
   * one.
   */
  private readonly waiting: (() => void)[] = [];
  private making = 0;
  private nextLook: Cancel | undefined;
  private impatience: Cancel | undefined;

  /**
   * Whether further long responses must wait. A single long text never makes other requests wait,
   * no matter how long it is.
   */
  isFull(): boolean {
    return this.texts.bytes > maxKeptBytes && this.texts.count > 1;
  }

  add(reply: Reply, text: string, bytes: number): void {
    this.forget(reply);
    this.replies.set(reply, { text, since: clock.elapsed() });
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
    // Runs once the new text has been added to the unsent texts.
    setImmediate(() => this.admit());
  }

  /** Lets waiting requests create their responses while there is room. */
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

  /**
   * Disconnects slow clients while there is too much unsent text. Checks again when the next client
   * becomes slow.
   */
  private disconnectSlow(): void {
    this.nextLook?.();
    for (const [reply, { since }] of this.replies) {
      if (!this.isFull()) return;
      const left = since + slowReader.after - clock.elapsed();
      if (left > 0 && this.texts.bytes <= maxTotalBytes) {
        // If this process was blocked until now, clients may have read something. `setImmediate`
        // lets the event loop notice this first.
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

/** Returns the number of bytes waiting for clients. */
export const unsentBytes = (): number => unsent().texts.bytes;

/** Whether further long responses must wait. */
export const isFull = (): boolean => unsent().isFull();

/**
 * Records a response that its client must still read.
 * @param bytes the size of its text in memory
 */
export const noteUnsent = (reply: Reply, text: string, bytes: number): void => unsent().add(reply, text, bytes);

/** Records that a response's client has read something or disconnected. */
export const noteTaken = (reply: Reply): void => unsent().remove(reply);

/**
 * Waits until another long response may be created.
 * @returns undefined if it may be created now; otherwise, a promise for a function to call once the
 * response is created
 */
export const roomForReply = (): Promise<() => void> | undefined => unsent().room();

/** 503. */
export const tooMuchUnsent = () =>
  unavailable("Too many responses are waiting for slow clients. Try again in a moment.");
