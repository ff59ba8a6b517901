import type { PrismaClient } from "../generated/prisma/client";
import { chosenDestination } from "../request-context";
import type { OutgoingStatement } from "./shards/destination";
import { enter } from "./shards/moves/pause-gate";
import { isModelOfService } from "./shards/service-tables";
import { directoryShard, hasSeveralShards } from "./shards/shard-map";
import { destinationFor, TransactionRoute } from "./shards/statement-routing";

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
 * Runs a Prisma transaction on one shard. If only its first statement names the shard, it begins
 * with that statement.
 * @param clientOf returns the client of a shard
 */
export function routedTransaction<T>(
  clientOf: (shard: number) => PrismaClient,
  work: (tx: Transaction) => Promise<T>,
  options: Options | undefined,
): Promise<T> {
  if (hasSeveralShards()) {
    const run = () => beginningLate(clientOf, work, options);
    const mark = chosenDestination();
    return mark ? enter(mark, run) : run();
  }
  const route = new TransactionRoute();
  const checked = (tx: Transaction) =>
    routedClient<Transaction>((asked, call) => {
      route.admit(asked);
      return call(tx);
    });
  return clientOf(directoryShard).$transaction((tx) => work(checked(tx)), options);
}

/** A transaction that has begun, with its route. */
type Begun = { tx: Transaction; route: TransactionRoute };

async function beginningLate<T>(
  clientOf: (shard: number) => PrismaClient,
  work: (tx: Transaction) => Promise<T>,
  options: Options | undefined,
): Promise<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const outcome = new Promise<T>((...settle) => ([resolve, reject] = settle));
  let committed: Promise<T> | undefined;
  let begun: Promise<Begun> | undefined;
  const begin = (first: OutgoingStatement): Promise<Begun> =>
    new Promise((opened, failed) => {
      // The shard is chosen only after a pause of the home.
      committed = enter(destinationFor(first), () => {
        const route = new TransactionRoute();
        return clientOf(route.admit(first)).$transaction((tx) => {
          opened({ tx, route });
          return outcome;
        }, options);
      });
      committed.catch(failed);
    });
  const tx = routedClient<Transaction>(async (asked, call) => {
    const isFirst = begun === undefined;
    const { tx: open, route } = await (begun ??= begin(asked));
    if (!isFirst) route.admit(asked);
    return call(open);
  });
  try {
    resolve(await work(tx));
  } catch (error) {
    reject(error);
  }
  return committed ?? outcome;
}
