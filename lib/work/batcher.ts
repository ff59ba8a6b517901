/** Gathers requests of one kind, so that what comes while some are under way goes together next. */
export type BatcherOptions<Item, Out> = {
  /** How many times work is under way at once before what comes waits for its end. */
  concurrency: number;
  /** Most that goes together. */
  maxBatch: { items: number; bytes: number };
  /** How long one waits to begin, in milliseconds; then it fails with `late`. */
  timeoutMs: number;
  timeoutError: () => Error;
  /** Get what the work needs. What comes meanwhile goes along. */
  acquire: () => Promise<RunBatch<Item, Out>>;
  /** Whose it is: they take turns. */
  fairnessKey: (item: Item) => string;
  /** What may be in it but once; the second waits for the next. */
  uniqueKey?: (item: Item) => string | undefined;
  /** How much it adds to what goes together, in bytes. Asked only where there is more than one. */
  bytes: (item: Item) => number;
  /** What an item fails with whose caller hung up before its work began. */
  left?: () => Error;
};

/** Who waits for an item, for example a socket. `destroyed`: the caller hung up. */
export type Caller = { readonly destroyed: boolean };

/**
 * Does them all, once it is known which: with none where nobody waits any more.
 * @param since when the first of them came, as `performance.now()` says
 * @returns an outcome for each, in their order, or what it will be
 * @throws what becomes of them all
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
 * Nobody waits for a timer: one that comes alone begins in the same turn of the event loop, and those that come while as much is
 * under way as may be go together as soon as a part of that ends.
 * @returns how to ask. An item given with its `caller` is withdrawn if the caller has hung up when its turn comes: give one for
 *   reads only, since a write must be done even if its caller does not hear of it.
 */
export function createBatcher<Item, Out>(
  how: BatcherOptions<Item, Out>,
): (item: Item, caller?: Caller) => Promise<Out> {
  const turns = new Map<string, Waiting<Item, Out>[]>();
  let [count, underWay, soon] = [0, 0, false];
  let timer: NodeJS.Timeout | undefined;

  /** One of each turn after another, as many as may go together. Whose turn it was comes last the next time. */
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
   * While some wait: what is under way is held up, and no reason for them to wait any longer. So more of it begins, up to what
   * `begin` allows.
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
    // Whatever else has come by now is read before that.
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
