/** Batches requests: those that arrive while a batch is running form the next one. */
export type BatcherOptions<Item, Out> = {
  /** The most concurrent batches. */
  concurrency: number;
  /** Limits of a batch. */
  maxBatch: { items: number; bytes: number };
  /** How long an item may wait to begin, in milliseconds; then it fails with `timeoutError`. */
  timeoutMs: number;
  timeoutError: () => Error;
  /**
   * Acquires the work's resources, such as a connection. Items that arrive meanwhile join the
   * batch.
   */
  acquire: () => Promise<RunBatch<Item, Out>>;
  /** The item's owner, for fairness: the batcher alternates among owners. */
  fairnessKey: (item: Item) => string;
  /** A key that a batch may contain only once; a second item waits for the next batch. */
  uniqueKey?: (item: Item) => string | undefined;
  /** An item's size in bytes. Called only if there is more than one item. */
  bytes: (item: Item) => number;
  /** The error for an item whose caller disconnected before its work began. */
  left?: () => Error;
};

/** The caller of an item, for example a socket. `destroyed`: the caller disconnected. */
export type Caller = { readonly destroyed: boolean };

/**
 * Does a batch. It is empty if every caller disconnected.
 * @param since arrival of the first item, as a `performance.now()` value
 * @returns an outcome, or a promise of one, for each item, in order
 * @throws one error for all items
 */
export type RunBatch<Item, Out> = (items: readonly Item[], since: number) => Promise<readonly (Out | Promise<Out>)[]>;

type Waiting<Item, Out> = {
  item: Item;
  caller: Caller | undefined;
  since: number;
  resolve: (out: Out | Promise<Out>) => void;
  reject: (error: unknown) => void;
};

/**
 * Uses no timer. An item that arrives alone begins in the same turn of the event loop. Items that
 * arrive at full concurrency form a batch as soon as another ends.
 * @returns a function that adds an item. An item with a `caller` is withdrawn if that caller has
 * disconnected before its turn. Pass one for reads only: a write must be done even if its caller
 * never learns of it.
 */
export function createBatcher<Item, Out>(
  how: BatcherOptions<Item, Out>,
): (item: Item, caller?: Caller) => Promise<Out> {
  const turns = new Map<string, Waiting<Item, Out>[]>();
  let [count, underWay, soon] = [0, 0, false];
  let timer: NodeJS.Timeout | undefined;

  /**
   * Takes one item per owner, round after round, up to the batch's limits. Owners served now are
   * last in the next batch.
   */
  const take = () => {
    const taken: Waiting<Item, Out>[] = [];
    const keys = new Set<string>();
    const alone = count === 1;
    let bytes = 0;
    let full = false;
    const next = (queue: Waiting<Item, Out>[]) => {
      const at = how.uniqueKey ? queue.findIndex(({ item }) => !keys.has(how.uniqueKey?.(item) ?? "")) : 0;
      const it = queue[at];
      if (!it) return false;
      if (how.left && it.caller?.destroyed) {
        queue.splice(at, 1);
        count--;
        it.reject(how.left());
        return true;
      }
      bytes += alone ? 0 : how.bytes(it.item);
      full = taken.length >= how.maxBatch.items || (taken.length > 0 && bytes > how.maxBatch.bytes);
      if (full) return false;
      const key = how.uniqueKey?.(it.item);
      if (key !== undefined) keys.add(key);
      queue.splice(at, 1);
      taken.push(it);
      return true;
    };
    for (let some = true; some && !full; ) {
      some = false;
      for (const [turn, queue] of [...turns]) {
        if (full || !next(queue)) continue;
        some = true;
        turns.delete(turn);
        if (queue.length > 0) turns.set(turn, queue);
      }
    }
    count -= taken.length;
    return taken;
  };

  const fail = (until: number, error: unknown) => {
    for (const [turn, queue] of turns) {
      const [gone, left] = [queue.filter(({ since }) => since <= until), queue.filter(({ since }) => since > until)];
      if (left.length > 0) turns.set(turn, left);
      else turns.delete(turn);
      count -= gone.length;
      for (const { reject } of gone) reject(error);
    }
  };

  /**
   * Runs while items wait: a batch that takes long is blocked, and they should not wait for it. So
   * another begins, up to the limit of `acquire`.
   */
  const watch = () => {
    if (timer || count === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      fail(performance.now() - how.timeoutMs, how.timeoutError());
      const oldest = Math.min(...[...turns.values()].map(([first]) => first?.since ?? Number.POSITIVE_INFINITY));
      if (performance.now() - oldest >= how.timeoutMs / 4) void go();
      watch();
    }, how.timeoutMs / 4).unref();
  };

  const go = async () => {
    underWay++;
    try {
      const began = performance.now();
      const work = await how.acquire().catch((error) => fail(began, error));
      if (!work) return;
      const taken = take();
      if (count > 0) schedule();
      try {
        const since = taken.reduce((oldest, it) => Math.min(oldest, it.since), began);
        const items = taken.map(({ item }) => item);
        const outcomes = await work(items, since);
        for (const [at, { resolve }] of taken.entries()) resolve(outcomes[at] as Out | Promise<Out>);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    } finally {
      underWay--;
      schedule();
    }
  };

  const schedule = () => {
    if (count === 0) return;
    if (underWay >= how.concurrency) return watch();
    if (soon) return;
    soon = true;
    // Reads everything else that has arrived by now first.
    setImmediate(() => {
      soon = false;
      if (count > 0 && underWay < how.concurrency) void go();
    });
  };

  return (item, caller) =>
    new Promise((resolve, reject) => {
      const turn = how.fairnessKey(item);
      const it = { item, caller, since: performance.now(), resolve, reject };
      const queue = turns.get(turn);
      if (queue) queue.push(it);
      else turns.set(turn, [it]);
      count++;
      schedule();
    });
}
