import { randomUUID } from "node:crypto";
import type pg from "pg";
import { clock } from "@/lib/clock";
import { FailoverClient } from "@/lib/database/failover-client";
import { type OneShard, perShard } from "@/lib/database/shards/each-shard";
import { sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { type Loop, loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";
import { later } from "@/lib/work/timer-registry";
import { type WriteBehind, writeBehind } from "@/lib/work/write-behind";

/*
 * Messages between instances: NOTIFY and LISTEN in one shard's PostgreSQL. Each shard has its own
 * listening connection, so that a shard that is away delays only messages about its own owners.
 */

/** Whether NOTIFY messages arrive, according to the last check. For monitoring. */
export type NotifyHealth = {
  /**
   * The time from a NOTIFY by this process until its own listener receives the message, in
   * milliseconds. Undefined before the first check and after a loss.
   */
  roundTripMs: number | undefined;
  /** How many of its messages to itself this process has lost since it started. */
  lost: number;
};

const channel = "countersign_news";
/**
 * The interval at which this instance sends a message to itself, and the message's timeout, in
 * milliseconds.
 */
const [checkMs, echoMs] = [60_000, 5000];
/**
 * How long to collect changes before a NOTIFY, in milliseconds. Listeners in this process do not
 * wait for it.
 */
const debounceMs = 5;

/** What the messages of all shards have in common. */
type Common = {
  /** This instance's ID, by which it ignores its own NOTIFY messages. */
  copy: string;
  closed: boolean;
  /** Receives messages of other instances: what has changed, such as an owner's ID. */
  receive: (topic: string) => void;
  /** Called after a shard's messages may have been lost. */
  missed: (shard: number) => void;
};
export const common = processSingleton<Common>("messages", () => ({
  copy: randomUUID(),
  closed: false,
  receive: () => {},
  missed: () => {},
}));

/** The messages of each shard. */
export const messages = perShard<ShardMessages>("messages of shards", (shard) => new ShardMessages(shard));

/** The messages of one shard. */
export class ShardMessages {
  readonly health: NotifyHealth = { roundTripMs: undefined, lost: 0 };
  /** The listening connection. */
  client: pg.Client | undefined;
  /** The topics of the next NOTIFY. They collect here while a NOTIFY is in progress. */
  private readonly waiting = new Set<string>();
  /** Reconnects the listener. Set while this instance listens. */
  private relisten: (() => void) | undefined;
  /** Called when this instance's message to itself arrives. */
  private echoed: () => void = () => {};
  private checking: Loop | undefined;
  private readonly notifying: WriteBehind;

  constructor(private readonly shard: OneShard) {
    this.notifying = writeBehind({
      every: debounceMs,
      problem: "could not notify other instances",
      write: () => this.notify(),
    });
  }

  /** Sends a message to the other instances soon, outside any transaction. */
  send(topic: string): void {
    this.waiting.add(topic);
    this.notifying.markDirty();
  }

  /** Sends the pending messages, and closes the listening connection. */
  async close(): Promise<void> {
    this.echoed();
    await Promise.all([this.notifying.flush(), this.checking?.stop()]);
    await this.client?.end().catch(() => {});
  }

  private async notify(): Promise<boolean> {
    const topics = [...this.waiting];
    this.waiting.clear();
    if (topics.length > 0)
      // A transaction with a NOTIFY writes a commit record, but nothing needs to wait for its disk
      // write.
      await this.shard.run(() =>
        sql`
        SELECT set_config('synchronous_commit', 'off', true),
          pg_notify(${channel}, ${common().copy} || ' ' || topic)
        FROM unnest(${topics}::text[]) AS topic`.rows(),
      );
    return this.waiting.size > 0;
  }

  /**
   * Sends this instance a message through PostgreSQL. Messages can be lost silently if a pooler
   * reassigns the listening session or a network drops the connection. After a loss, the listener
   * reconnects and all subscribers read again.
   * @param timeoutMs how long to wait for the message, in milliseconds
   * @throws if the message was lost or could not be sent
   */
  async probe(timeoutMs = echoMs): Promise<void> {
    const { relisten, health } = this;
    if (!relisten) return;
    const began = clock.elapsed();
    const heard = await new Promise<boolean>((resolve, reject) => {
      const timer = clock.setTimeout(() => resolve(false), timeoutMs).unref();
      this.echoed = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.shard
        .run(() =>
          sql`
        SELECT set_config('synchronous_commit', 'off', true),
          pg_notify(${channel}, ${common().copy})`.rows(),
        )
        .catch(reject);
    });
    // If the connection broke in the meantime, the listener reconnects anyway.
    if (common().closed || this.relisten !== relisten) return;
    health.roundTripMs = heard ? clock.elapsed() - began : undefined;
    if (heard) return;
    health.lost++;
    relisten();
    throw new Error(
      "a NOTIFY from this instance to itself was lost; point DATABASE_DIRECT_URL at PostgreSQL, not at a pooler",
    );
  }

  /**
   * Opens this instance's only listening connection to the shard, and reconnects if it breaks.
   * After a gap, all subscribers read the state again, because messages during the gap are lost.
   */
  async listen(): Promise<void> {
    if (this.client || common().closed) return;
    let client: pg.Client | undefined;
    const lost = () => {
      if (this.client !== client) return;
      this.client = undefined;
      this.relisten = undefined;
      client?.end().catch(() => {});
      if (!common().closed) later(1000, () => void this.listen());
    };
    try {
      client = new FailoverClient({
        connectionString: this.shard.directUrl(),
        keepAlive: true,
        application_name: "countersign listen",
      });
      this.client = client;
      client.on("error", lost).on("end", lost);
      client.on("notification", ({ payload = "" }) => {
        const [copy, topic] = payload.split(" ");
        if (copy === common().copy && topic === undefined) this.echoed();
        else if (copy !== common().copy && topic !== undefined) common().receive(topic);
      });
      await client.connect();
      if (common().closed) return lost();
      await client.query(`LISTEN ${channel}`);
      this.relisten = lost;
      this.checking ??= this.checkRepeatedly();
      common().missed(this.shard.number);
    } catch (error) {
      if (!common().closed) log.warn("could not listen for changes; the service will retry", { reason: String(error) });
      lost();
    }
  }

  private checkRepeatedly(): Loop {
    return loop({
      intervalMs: checkMs,
      failureMessage: "could not check for lost messages; changes from other instances may be up to 20 seconds late",
      run: () => this.probe(),
    });
  }
}
