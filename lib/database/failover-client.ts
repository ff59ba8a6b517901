import type { EventEmitter } from "node:events";
import pg from "pg";
import { processSingleton } from "@/lib/work/process-singleton";
import { addressesOf, isCluster } from "./database-address";
import { directoryName } from "./shards/shard-map";
import { queriesForSpqr, selectShard, sqlStateFromSpqr } from "./shards/spqr";

/** The address of one server. */
type HostAndPort = Pick<pg.Client, "host" | "port">;
/** The last known primary, and any running lookup. */
type Primary = { place?: HostAndPort; looking?: Promise<HostAndPort> };
const primaries = processSingleton("primaries", () => new Map<string, Primary>());

/** A database connection. If the URL lists several servers, it connects to the primary. */
export class FailoverClient extends pg.Client {
  private readonly among: string | undefined;

  constructor(config: pg.ClientConfig = {}) {
    const { connectionString = "" } = config;
    super({ ...config, connectionString: addressesOf(connectionString)[0] ?? "" });
    // Added in the constructor, because an unhandled error would end the process, and errors can
    // arrive as soon as the server is ready, even while the connection is checked out or closing.
    this.on("error", () => {});
    this.among = isCluster(connectionString) ? connectionString : undefined;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
    const connected = this.among === undefined ? super.connect() : this.toPrimary(this.among);
    if (!callback) return connected;
    connected.then(
      () => callback(null as never, this),
      (error) => callback(error as never, this),
    );
    return undefined;
  }

  private async toPrimary(url: string): Promise<pg.Client> {
    const known = primaries().get(url) ?? {};
    primaries().set(url, known);
    const place = known.place ?? (await look(known, url));
    try {
      Object.assign(this, place);
      await super.connect();
      if (await takesNoWrites(this)) {
        await this.end();
        throw noWrites();
      }
      known.place = place;
      return this;
    } catch (error) {
      // The next connection looks up the primary again.
      if (known.place === place) delete known.place;
      throw error;
    }
  }
}

/** The statement that sends the later statements of a connection to SPQR to the directory. */
export const selectDirectory = selectShard({ name: directoryName });

/** Returns a kind of connection to SPQR's router. @param shard the shard of its statements */
export const spqrClient = (shard: string): typeof FailoverClient =>
  class extends FailoverClient {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const { connection } = this as unknown as { connection: EventEmitter };
      // Runs before pg's own listener, which rejects the query.
      connection.prependListener("errorMessage", (error: { code?: string; message: string }) => {
        error.code = sqlStateFromSpqr(error, shard) ?? error.code;
      });
    }

    override query = ((query: unknown, ...rest: [never, never]) => {
      const queries = queriesForSpqr(query);
      // The connection sends queries in order. If an earlier one fails, so does the last one.
      for (const earlier of queries.slice(0, -1)) super.query(earlier as string).catch(() => {});
      return super.query(queries.at(-1) as never, ...rest);
    }) as pg.Client["query"];
  };

const look = (known: Primary, url: string): Promise<HostAndPort> =>
  (known.looking ??= find(url).finally(() => delete known.looking));

/**
 * Returns the server that accepts writes. Asks all servers concurrently, so that an unreachable one
 * adds no delay.
 * @throws the error of a reachable server or, if all are unreachable, the first error
 */
async function find(url: string): Promise<HostAndPort> {
  const looks = addressesOf(url).map(async (connectionString) => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 3000,
      query_timeout: 3000,
      application_name: "countersign look",
    });
    client.on("error", () => {});
    try {
      await client.connect();
      if (await takesNoWrites(client)) throw noWrites();
      return { host: client.host, port: client.port };
    } finally {
      client.end().catch(() => {});
    }
  });
  return Promise.any(looks).catch(({ errors }: AggregateError) => {
    throw errors.find(({ severity }) => severity) ?? errors.find(({ code }) => code === readOnly) ?? errors[0];
  });
}

/** SQLSTATE read_only_sql_transaction. */
const readOnly = "25006";
const noWrites = () =>
  Object.assign(new Error("no listed server accepts writes, because each is a standby, read-only or unreachable"), {
    code: readOnly,
  });

async function takesNoWrites(client: pg.Client): Promise<boolean> {
  const ask = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS yes";
  return (await client.query<{ yes: boolean }>(ask)).rows[0]?.yes !== false;
}
