/*
 * A queue of items that wait for a batch. Owners take turns, so that an owner with many items does
 * not delay others.
 */

/** The caller of an item, such as a socket. `destroyed` means that it disconnected. */
export type Caller = { readonly destroyed: boolean };

export type Queued<Item> = {
  item: Item;
  /** When the item arrived, as a `performance.now()` value. */
  since: number;
  /** An item whose caller disconnected is withdrawn. */
  caller?: Caller | undefined;
};

/** The limits of a batch. */
export type BatchRules<Item> = {
  maxBatch: { items: number; bytes: number };
  /** Returns an item's size in bytes. Called only if there is more than one item. */
  bytes: (item: Item) => number;
  /**
   * Returns a key that a batch may contain only once. Another item with the key waits for a later
   * batch.
   */
  uniqueKey?: (item: Item) => string | undefined;
};

export class FairQueue<Item, Entry extends Queued<Item>> {
  /** The number of waiting items. */
  size = 0;
  /** Each owner's items, oldest first. The owner who was served last is at the end. */
  private readonly turns = new Map<string, Entry[]>();

  constructor(private readonly rules: BatchRules<Item>) {}

  add(owner: string, entry: Entry): void {
    const queue = this.turns.get(owner);
    if (queue) queue.push(entry);
    else this.turns.set(owner, [entry]);
    this.size++;
  }

  /** When the oldest item arrived. Infinity if none waits. */
  oldest(): number {
    return Math.min(...[...this.turns.values()].map(([first]) => first?.since ?? Number.POSITIVE_INFINITY));
  }

  /**
   * Takes the next batch, in rounds of one item per owner, up to the limits. Also removes withdrawn
   * items on the way.
   */
  takeBatch(): { batch: Entry[]; withdrawn: Entry[] } {
    const draft = new Draft<Item, Entry>(this.rules, this.size === 1);
    for (let found = true; found && !draft.full; ) {
      found = false;
      for (const [owner, queue] of [...this.turns]) {
        if (draft.full || !draft.takeOne(queue)) continue;
        found = true;
        this.turns.delete(owner);
        if (queue.length > 0) this.turns.set(owner, queue);
      }
    }
    this.size -= draft.batch.length + draft.withdrawn.length;
    return draft;
  }

  /** Removes the items that arrived up to this time. */
  removeUntil(until: number): Entry[] {
    return [...this.turns].flatMap(([owner, queue]) => {
      const removed = queue.filter(({ since }) => since <= until);
      const left = queue.filter(({ since }) => since > until);
      if (left.length > 0) this.turns.set(owner, left);
      else this.turns.delete(owner);
      this.size -= removed.length;
      return removed;
    });
  }
}

/** A batch that is being filled. */
class Draft<Item, Entry extends Queued<Item>> {
  readonly batch: Entry[] = [];
  readonly withdrawn: Entry[] = [];
  full = false;
  private bytes = 0;
  private readonly keys = new Set<string>();

  constructor(
    private readonly rules: BatchRules<Item>,
    private readonly isOnlyItem: boolean,
  ) {}

  /**
   * Takes the first of an owner's items that fits into the batch. An item whose caller disconnected
   * goes to the withdrawn ones.
   * @returns whether there was such an item
   */
  takeOne(queue: Entry[]): boolean {
    const { uniqueKey } = this.rules;
    const at = uniqueKey ? queue.findIndex(({ item }) => !this.keys.has(uniqueKey(item) ?? "")) : 0;
    const entry = queue[at];
    if (!entry) return false;
    if (entry.caller?.destroyed) this.withdrawn.push(entry);
    else {
      if (!this.hasRoomFor(entry.item)) return false;
      const key = uniqueKey?.(entry.item);
      if (key !== undefined) this.keys.add(key);
      this.batch.push(entry);
    }
    queue.splice(at, 1);
    return true;
  }

  private hasRoomFor(item: Item): boolean {
    const { bytes, maxBatch } = this.rules;
    this.bytes += this.isOnlyItem ? 0 : bytes(item);
    // A single item of any size makes a batch.
    this.full = this.batch.length >= maxBatch.items || (this.batch.length > 0 && this.bytes > maxBatch.bytes);
    return !this.full;
  }
}
