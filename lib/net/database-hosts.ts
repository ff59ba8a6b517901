import pg from "pg";
import { z } from "zod";
import { processSingleton } from "@/lib/work/process-singleton";

/*
 * The address of a database may name several servers, as libpq's does:
 * postgresql://user@one:5432,two:5432/name?target_session_attrs=read-write. One of them takes writes, and which one that is changes
 * when the cluster fails over.
 */

const form = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?)(?<hosts>[^/?#\s]*)(?<after>[/?#]\S*)?$/;

/** One address for each server that it names. */
const addressesOf = (url: string): string[] => {
  const { before = "", hosts = "", after = "" } = form.exec(url)?.groups ?? {};
  return hosts.split(",").map((host) => before + host + after);
};

/** @param address of one server */
const wanted = (address: string) =>
  URL.canParse(address) ? new URL(address).searchParams.get("target_session_attrs") : null;

/** What the service may be given as a database: one server, or several of which it uses the one that takes writes. */
export const databaseAddress = z
  .string()
  .refine(
    (text) => form.test(text) && addressesOf(text).every((each) => URL.canParse(each)),
    "must be a postgresql:// address",
  )
  .refine(
    (text) => [null, "read-write", "primary"].includes(wanted(addressesOf(text)[0] ?? "")),
    "can have target_session_attrs=read-write or primary only: the service writes",
  );

/** Whether somebody has to look which server takes writes: that there is none yet may pass. */
export const isCluster = (url: string): boolean => {
  const addresses = addressesOf(url);
  return addresses.length > 1 || wanted(addresses[0] ?? "") !== null;
};

/** Where a server is. */
type Place = Pick<pg.Client, "host" | "port">;
/** Which server took writes the last time somebody looked, and a look that is under way. */
type Primary = { place?: Place; looking?: Promise<Place> };
const primaries = processSingleton("primaries", () => new Map<string, Primary>());

/** A connection to a database. Where its address names several servers it is one to that which takes writes. */
export class DatabaseClient extends pg.Client {
  private readonly among: string | undefined;

  constructor(config: pg.ClientConfig = {}) {
    const { connectionString = "" } = config;
    super({ ...config, connectionString: addressesOf(connectionString)[0] ?? "" });
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
      // The next one looks anew.
      if (known.place === place) delete known.place;
      throw error;
    }
  }
}

const look = (known: Primary, url: string): Promise<Place> =>
  (known.looking ??= find(url).finally(() => delete known.looking));

/** Ask all of them at once: one that is lost costs no time. @throws what the one that could be reached said, or the first */
async function find(url: string): Promise<Place> {
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
  Object.assign(new Error("none of its servers takes writes: each is a standby, read-only or away"), {
    code: readOnly,
  });

async function takesNoWrites(client: pg.Client): Promise<boolean> {
  const ask = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS yes";
  return (await client.query<{ yes: boolean }>(ask)).rows[0]?.yes !== false;
}
