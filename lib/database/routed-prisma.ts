import type { PrismaClient } from "../generated/prisma/client";
import type { OutgoingStatement } from "./shards/destination";
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
 * its work so that it can be repeated.
 * @param clientOf returns the client of a shard
 */
export async function routedTransaction<T>(
  clientOf: (shard: number) => PrismaClient,
  work: (tx: Transaction) => Promise<T>,
  options: Options | undefined,
): Promise<T> {
  const route = new TransactionRoute(undefined, { hasDirectoryPart: true });
  if (!hasSeveralShards()) {
    const checked = (tx: Transaction) =>
      routedClient<Transaction>((asked, call) => {
        route.admit(asked);
        return call(tx);
      });
    return clientOf(directoryShard).$transaction((tx) => work(checked(tx)), options);
  }
  const parts = new Map<number, Part>();
  const partOn = (shard: number) => {
    let part = parts.get(shard);
    if (!part) parts.set(shard, (part = beginPart(clientOf(shard), options)));
    return part;
  };
  try {
    const done = await work(routedClient((asked, call) => partOn(route.admit(asked)).tx.then(call)));
    const directoryLast = [...parts].sort(([one], [other]) => other - one);
    for (const [, part] of directoryLast) await part.commit();
    return done;
  } catch (error) {
    await Promise.all([...parts.values()].map((part) => part.rollBack(error)));
    throw error;
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
