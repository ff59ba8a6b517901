import type { PoolClient } from "pg";
import type { Actor } from "@/lib/actor";
import { connect } from "@/lib/database/db";
import { acquireTimeoutMs, poolTimeoutError } from "@/lib/database/partitioned-pool";
import { enter, passing } from "@/lib/database/shards/moves/pause-gate";
import { directoryShard, hasSeveralShards, isRouted } from "@/lib/database/shards/shard-map";
import { retryOnOtherShard } from "@/lib/database/shards/spqr";
import { destinationFor, inShard, shardFor } from "@/lib/database/shards/statement-routing";
import { callerLeft, sqlState } from "@/lib/errors";
import { isFull, roomForReply, tooMuchUnsent } from "@/lib/net/unsent-response-limit";
import { pausePoint } from "@/lib/pause-points";
import { currentRequest } from "@/lib/request-context";
import { Batcher } from "@/lib/work/batcher";
import { coalesce } from "@/lib/work/coalesce-calls";
import { assertAuthorized } from "../access/authorization";
import { cachedGrant } from "../access/grant-cache";
import {
  type BatchedRequest,
  callerKey,
  type Input,
  inputText,
  type Reported,
  type StatementForms,
  type StatementParts,
  statementForms,
} from "./batched-statement-sql";
import { doApart, isRolledBack } from "./retry-failed-statement-batch";

/*
 * Round trips would dominate the cost of frequent requests, so requests that arrive while
 * statements are running form the next batch. The statement that does a request's work also
 * authorizes it and begins after it arrives, so a revoked scope takes effect with the next request.
 * A failing request does not affect the others (./retry-failed-statement-batch.ts).
 */

/** An operation that is frequent enough to be batched. */
type Hot<In extends Input> = StatementParts<In> & {
  /** Whether to notify the owner's open pages after the transaction commits. */
  announces?: boolean;
  /** Returns a key. A statement contains at most one request with the same key. */
  once?: (input: In) => string | undefined;
  /** The maximum number of concurrent statements. Further requests wait for the next batch. */
  concurrency?: number;
  /**
   * Whether results can be long. If so, requests wait while too many unsent bytes are in memory
   * (lib/net/unsent-response-limit.ts).
   */
  long?: boolean;
  /** Whether identical waiting requests from an app share one result. */
  shares?: boolean;
  /**
   * The limits of a batch, and a request's size in bytes by its grant. By default, the size is the
   * input's.
   */
  maxBatch?: typeof maxBatch;
  bytes?: (grantId: string) => number;
};

type BatchedStatement<In, Row> = {
  /**
   * Runs a request.
   * @throws {AppError} 401 if the token is invalid, 403 if it or its grant lacks the required scope
   */
  (actor: Actor, input: In): Promise<Row>;
  /** Runs a request in its own statement, which waits for locked rows. Batches skip locked rows. */
  runAlone(actor: Actor, input: In): Promise<Row>;
};

/** How requests run in tests: batched as usual, always alone, or always in batches. */
export const batchMode: { are: "as they come" | "of one" | "of several" } = { are: "as they come" };

/** The maximum number of requests in a statement, and the maximum size of their input in bytes. */
export const maxBatch = { items: 64, bytes: 256 * 1024 };

/**
 * Creates a batched operation. Its rows have the columns of `done`, or nulls if the request was not
 * authorized.
 */
export function batchedStatement<In extends Input, Row extends object>(hot: Hot<In>): BatchedStatement<In, Row> {
  const { announces = false, concurrency = 2, long = false, shares = false } = hot;
  const shared = coalesce<Reported<Row>>(2, 250);
  let made: StatementForms<In, Row> | undefined;
  const statements = () => (made ??= statementForms<In, Row>(hot));
  const lanes = new Map<string, Batcher<BatchedRequest<In>, Reported<Row>>>();

  const begin = async (shard: number) => {
    const { client, made } = long ? await connectWithRoom(shard) : { client: await connect(shard), made: undefined };
    const run = async (requests: readonly BatchedRequest<In>[], since: number) => {
      let broken: Error | undefined;
      try {
        await pausePoint("batch gathered, not sent");
        const runOnce = () => runBatch(statements(), client, requests);
        const results = await (hasSeveralShards() ? retryOnOtherShard(runOnce) : runOnce());
        await pausePoint("batch answered, not delivered");
        return results;
      } catch (error) {
        if (!isRolledBack(error)) broken = error as Error;
        return runApart(statements(), requests, { error, wasRolledBack: !broken, since });
      } finally {
        client.release(broken);
        made?.();
      }
    };
    // Its requests have entered already.
    return (...batch: Parameters<typeof run>) => inShard(shard, () => passing(() => run(...batch)));
  };
  const late = () => (long && isFull() ? tooMuchUnsent() : poolTimeoutError());
  const makeLane = (shard: number) =>
    new Batcher<BatchedRequest<In>, Reported<Row>>({
      concurrency,
      maxBatch: hot.maxBatch ?? maxBatch,
      acquire: () => begin(shard),
      timeoutMs: acquireTimeoutMs(),
      timeoutError: late,
      fairnessKey: ({ actor }) => turnOf(actor),
      bytes: (request) => hot.bytes?.(turnOf(request.actor)) ?? Buffer.byteLength(inputText(request)),
      // Drops a read if its caller disconnects before the read begins. A write is always performed.
      ...(hot.read && { left: callerLeft }),
      ...(hot.once && { uniqueKey: ({ input }) => hot.once?.(input) }),
    });
  const send = (request: BatchedRequest<In>) => {
    const { actor } = request;
    const key = actor.kind === "app" ? `${actor.resource} ${actor.needs}` : "owners";
    const shard = shardOfActor(actor);
    const name = `${key} ${currentRequest()?.kind} ${shard}`;
    let lane = lanes.get(name);
    if (!lane) lanes.set(name, (lane = makeLane(shard)));
    const caller = currentRequest()?.caller;
    if (!shares) return lane.add(request, caller);
    return shared(`${name} ${callerKey(actor)} ${inputText(request)}`, (callers) => lane.add(request, callers), caller);
  };
  const runAlone = async (actor: Actor, input: In) =>
    assertAuthorized(actor, await statements().one({ actor, input }).row(actor.via?.client), announces);
  const ask = async (actor: Actor, input: In) => {
    if (actor.via) return runAlone(actor, input);
    if (batchMode.are === "of one")
      return assertAuthorized(actor, await statements().alone({ actor, input }), announces);
    const request = { actor, input };
    const sent = hasSeveralShards() ? enter(destinationOfActor(actor), () => send(request)) : send(request);
    return assertAuthorized(actor, await sent, announces);
  };
  return Object.assign(ask, { runAlone: runAlone });
}

/**
 * Connects once there is room in memory for another long response. If `made` is defined, the caller
 * must call it after creating the response.
 */
async function connectWithRoom(shard: number) {
  for (;;) {
    const made = await roomForReply();
    try {
      const client = await connect(shard);
      // Other requests may have filled the buffer in the meantime.
      if (made || !isFull()) return { client, made };
      client.release();
    } catch (error) {
      made?.();
      throw error;
    }
  }
}

const isBatch = (requests: readonly unknown[]) => requests.length > 1 || batchMode.are === "of several";

async function runBatch<In extends Input, Row extends object>(
  statements: StatementForms<In, Row>,
  client: PoolClient,
  requests: readonly BatchedRequest<In>[],
): Promise<Reported<Row>[]> {
  const [first] = requests;
  if (!first) return [];
  if (!isBatch(requests)) return [await statements.alone(first, client)];
  const found = await statements.batch(requests).rows(client);
  const rows = new Map(found.map((row) => [row.n, row]));
  return requests.map((_, n) => rows.get(n + 1));
}

/** Matches the errors that PostgreSQL raises because of concurrent transactions. */
const conflict = /^40/;

/**
 * Retries the requests of a failed batch one by one or, after a timeout, in halves. Retries a
 * request that ran alone only after a conflict.
 * @throws if a retry would not help
 */
function runApart<In extends Input, Row extends object>(
  statements: StatementForms<In, Row>,
  requests: readonly BatchedRequest<In>[],
  { error, wasRolledBack, since }: { error: unknown; wasRolledBack: boolean; since: number },
): Promise<Reported<Row>>[] {
  const again = isBatch(requests) ? wasRolledBack : conflict.test(sqlState(error));
  if (!again) throw error;
  return requests.length > 1
    ? doApart(statements, requests, error, since)
    : requests.map((each) => statements.one(each).row());
}

/**
 * Returns the key for fair queuing. If the grant is known, it is the key, because an app may have
 * several tokens.
 */
const turnOf = (actor: Actor) => (actor.kind === "app" && cachedGrant(actor)) || callerKey(actor);

/** Returns the shard of an actor's owner. A statement never contains requests for two shards. */
const shardOfActor = (actor: Actor) => (isRouted() ? shardFor(batchOf(actor)) : directoryShard);
const destinationOfActor = (actor: Actor) => destinationFor(batchOf(actor));
const batchOf = (actor: Actor) => ({
  text: "batch",
  values: [actor.kind === "app" ? actor.tokenHash : actor.ownerId],
});
