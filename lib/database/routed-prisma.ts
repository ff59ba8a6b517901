import type { PrismaClient } from "../generated/prisma/client";
import { chosenDestination } from "../request-context";
import { destinationOf, type OutgoingStatement } from "./shards/destination";
import type { Destination } from "./shards/homes";
import { enter } from "./shards/moves/pause-gate";
import { isModelOfService } from "./shards/service-tables";
import { directoryShard, hasSeveralShards } from "./shards/shard-map";
import { TransactionRoute } from "./shards/statement-routing";

/*
 * Chooses the shard of Prisma's statements by their arguments (./shards/statement-routing.ts). Only
 * tests and installations with several shards use this module.
 */

type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];
type Call = (...args: unknown[]) => unknown;
/** Sends a statement: calls `property` of a client, or of the client's model if one is named. */
type Send = (asked: OutgoingStatement, call: (client: object) => unknown) => unknown;

/** Returns a client whose statements are sent by `send`. Properties with a dollar are raw SQL. */
export const routedClient = <Client extends object>(send: Send): Client =>
  new Proxy({} as Client, {
    get: (_, property) => {
      if (typeof property === "symbol" || property === "then") return undefined;
      return property.startsWith("$") ? rawCall(property, send) : routedModel(property, send);
    },
  });

const callOf = (from: object, property: string): Call => (Reflect.get(from, property) as Call).bind(from);

const rawCall =
  (property: string, send: Send): Call =>
  (first, ...values) => {
    // A tagged template's strings, or text.
    const text = Array.isArray(first) ? first.join("?") : String(first);
    return send({ text, values }, (client) => callOf(client, property)(first, ...values));
  };

const routedModel = (model: string, send: Send) =>
  new Proxy(
    {},
    {
      get: (_, method) => {
        if (typeof method === "symbol") return undefined;
        const asked = { text: `${model}.${method} (Prisma)`, ofService: isModelOfService(model) };
        return (...args: unknown[]) =>
          send({ ...asked, values: args }, (client) => callOf(Reflect.get(client, model) as object, method)(...args));
      },
    },
  );

type Options = { maxWait?: number; timeout?: number };

/**
 * Runs a Prisma transaction on one shard. It begins with the first statement, which names the shard.
 *
 * A transaction of an owner can also use tables of the service. If the owner is on another shard
 * than the directory, these statements run in a second transaction, which commits last. Until then,
 * its locks keep out concurrent changes, as in one database. If the process ends between the two
 * commits, the owner's part is done and the directory's part is not. The caller therefore orders
 * its work so that it can be repeated, and changes other owners' data afterwards.
 * @param clientOf returns the client of a shard
 */
export async function routedTransaction<T>(
  clientOf: (shard: number) => PrismaClient,
  work: (tx: Transaction) => Promise<T>,
  options: Options | undefined,
): Promise<T> {
  if (!hasSeveralShards()) {
    const route = new TransactionRoute(undefined, { hasDirectoryPart: true });
    const checked = (tx: Transaction) =>
      routedClient<Transaction>((asked, call) => {
        route.admit(asked);
        return call(tx);
      });
    return clientOf(directoryShard).$transaction((tx) => work(checked(tx)), options);
  }
  const parts = new TransactionParts((shard) => beginPart(clientOf(shard), options));
  try {
    const done = await work(routedClient(async (asked, call) => call(await (await parts.of(asked)).tx)));
    await parts.commit();
    return done;
  } catch (error) {
    await parts.rollBack(error);
    throw error;
  } finally {
    parts.leave();
  }
}

/** The parts of a transaction: on an owner's shard, and in the directory. */
class TransactionParts {
  private route: TransactionRoute | undefined;
  private readonly parts = new Map<number, Part>();
  private entered: Promise<void> | undefined;
  /** Ends the time during which a pause of the owner's home waits for this transaction. */
  leave: () => void = () => {};
  private readonly left = new Promise<void>((resolve) => (this.leave = resolve));

  constructor(private readonly begin: (shard: number) => Part) {}

  /** Returns the part of a statement, once the owner's home is not paused. */
  async of(asked: OutgoingStatement): Promise<Part> {
    const to = chosenDestination() ?? destinationOf(asked);
    if (to !== undefined && to !== "service") await (this.entered ??= this.enter(to));
    // The shard is chosen only after a pause of the home.
    this.route ??= new TransactionRoute(undefined, { hasDirectoryPart: true });
    const shard = this.route.admit(asked);
    let part = this.parts.get(shard);
    if (!part) this.parts.set(shard, (part = this.begin(shard)));
    return part;
  }

  private enter(to: Destination): Promise<void> {
    return new Promise((entered, failed) => {
      enter(to, () => {
        entered();
        return this.left;
      }).catch(failed);
    });
  }

  /** Commits the directory's part last. */
  async commit(): Promise<void> {
    const directoryLast = [...this.parts].sort(([one], [other]) => other - one);
    for (const [, part] of directoryLast) await part.commit();
  }

  async rollBack(error: unknown): Promise<void> {
    await Promise.all([...this.parts.values()].map((part) => part.rollBack(error)));
  }
}

/** An open transaction on one shard. */
type Part = {
  tx: Promise<Transaction>;
  commit(): Promise<unknown>;
  /** Rolls back the transaction unless it has committed. */
  rollBack(error: unknown): Promise<unknown>;
};

function beginPart(client: PrismaClient, options: Options | undefined): Part {
  let [end, fail]: [() => void, (error: unknown) => void] = [() => {}, () => {}];
  const ended = new Promise<void>((...settle) => ([end, fail] = settle));
  let committed: Promise<unknown> = ended;
  const tx = new Promise<Transaction>((opened, failed) => {
    committed = client.$transaction((begun) => {
      opened(begun);
      return ended;
    }, options);
    committed.catch(failed);
  });
  // An error before the first statement is the statement's error.
  for (const each of [ended, tx]) each.catch(() => {});
  return {
    tx,
    commit: () => {
      end();
      return committed;
    },
    rollBack: (error) => {
      fail(error);
      return committed.catch(() => {});
    },
  };
}
