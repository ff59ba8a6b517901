import { clock } from "@/lib/clock";
import { type BatchRules, type Caller, FairQueue, type Queued } from "./fair-queue";

/** The options of a batcher. Items that arrive while a batch is running form the next batch. */
export type BatcherOptions<Item, Out> = BatchRules<Item> & {
  /** The maximum number of concurrent batches. */
  concurrency: number;
  /**
   * How long an item may wait for its turn, in milliseconds. After that, it fails with
   * `timeoutError`.
   */
  timeoutMs: number;
  timeoutError: () => Error;
  /**
   * Acquires what the work needs, such as a connection, and returns the work. Items that arrive
   * meanwhile join the batch.
   */
  acquire: () => Promise<RunBatch<Item, Out>>;
  /** Returns a key for the item's owner. The batcher takes turns among owners. */
  fairnessKey: (item: Item) => string;
  /** Returns the error for an item whose caller disconnected before its work began. */
  left?: () => Error;
};

/**
 * Processes a batch, which is empty if every caller disconnected.
 * @param since when the first item arrived, as a `performance.now()` value
 * @returns an outcome, or a promise of one, for each item, in order
 * @throws one error for all items
 */
export type RunBatch<Item, Out> = (items: readonly Item[], since: number) => Promise<readonly (Out | Promise<Out>)[]>;

type QueuedItem<Item, Out> = Queued<Item> & {
  resolve: (out: Out | Promise<Out>) => void;
  reject: (error: unknown) => void;
};

/**
 * Batches items without timers. An item that arrives alone starts in the same turn of the event
 * loop. At full concurrency, items wait until a batch ends, and then form the next batch.
 */
export class Batcher<Item, Out> {
  private readonly queue: FairQueue<Item, QueuedItem<Item, Out>>;
  private running = 0;
  private isScheduled = false;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(private readonly options: BatcherOptions<Item, Out>) {
    this.queue = new FairQueue(options);
  }

  /**
   * Adds an item. If `caller` is given and disconnects before the item's turn, the item is
   * withdrawn. Pass a caller only for reads, because writes must be performed even if no one
   * receives their results.
   */
  add(item: Item, caller?: Caller): Promise<Out> {
    const { fairnessKey, left } = this.options;
    return new Promise((resolve, reject) => {
      const since = clock.elapsed();
      this.queue.add(fairnessKey(item), { item, since, caller: left && caller, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.queue.size === 0) return;
    if (this.running >= this.options.concurrency) this.watch();
    else this.runSoon();
  }

  private runSoon(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    // Lets Node.js first read other requests that have arrived, so that they join this batch.
    setImmediate(() => {
      this.isScheduled = false;
      if (this.queue.size > 0 && this.running < this.options.concurrency) void this.runNext();
    });
  }

  private async runNext(): Promise<void> {
    this.running++;
    try {
      const began = clock.elapsed();
      const work = await this.options.acquire().catch((error) => this.fail(began, error));
      if (work) await this.run(work, began);
    } finally {
      this.running--;
      this.schedule();
    }
  }

  private async run(work: RunBatch<Item, Out>, began: number): Promise<void> {
    const { batch, withdrawn } = this.queue.takeBatch();
    for (const { reject } of withdrawn) reject(this.options.left?.());
    this.schedule();
    try {
      const since = batch.reduce((oldest, it) => Math.min(oldest, it.since), began);
      const outcomes = await work(
        batch.map(({ item }) => item),
        since,
      );
      for (const [at, { resolve }] of batch.entries()) resolve(outcomes[at] as Out | Promise<Out>);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Fails the items that arrived no later than this time. */
  private fail(until: number, error: unknown): void {
    for (const { reject } of this.queue.removeUntil(until)) reject(error);
  }

  /**
   * Starts another batch whenever an item has waited for a quarter of its timeout, because the
   * running batches may be blocked. `acquire` limits the number of batches.
   */
  private watch(): void {
    if (this.watchdog || this.queue.size === 0) return;
    const { timeoutMs, timeoutError } = this.options;
    this.watchdog = clock
      .setTimeout(() => {
        this.watchdog = undefined;
        this.fail(clock.elapsed() - timeoutMs, timeoutError());
        if (clock.elapsed() - this.queue.oldest() >= timeoutMs / 4) void this.runNext();
        this.watch();
      }, timeoutMs / 4)
      .unref();
  }
}
