import type pg from "pg";
import { clock } from "@/lib/clock";
import { isCluster } from "@/lib/database/database-address";
import { selectDirectory } from "@/lib/database/failover-client";
import { sqlState } from "@/lib/errors";
import { redact } from "@/lib/log";
import type { Tell } from "./os-user";
import { PostgresError } from "./postgres-server";
import { withClient } from "./with-client";

type Named = "DATABASE_URL" | "DATABASE_DIRECT_URL" | "SHARD_ROUTER";
type DatabaseUrls = { [Name in Named]?: string | undefined };
/** A database's URL, and whether it leads to SPQR's router. */
type Address = { url: string; isSpqr?: boolean };
type WaitOptions = { seconds?: number; tell?: Tell };

/**
 * Checks the operator's database, and describes any problem in one sentence: the database is
 * unreachable or read-only, or a pooler lacks a feature.
 * @param waiting how long to wait for an unreachable database, and how to report the wait
 * @returns warnings about a working database
 * @throws {PostgresError} with that sentence
 */
export async function checkDatabase(
  { DATABASE_URL, DATABASE_DIRECT_URL, SHARD_ROUTER }: DatabaseUrls,
  waiting: WaitOptions = {},
): Promise<string[]> {
  if (!DATABASE_URL) return [];
  const url: Address = { url: DATABASE_URL, isSpqr: SHARD_ROUTER === "spqr" };
  const direct: Address | undefined = DATABASE_DIRECT_URL ? { url: DATABASE_DIRECT_URL } : undefined;
  const pooled = await look("DATABASE_URL", url, waiting);
  if (direct) await look("DATABASE_DIRECT_URL", direct, waiting);
  if (!direct && pooled && !(await hears(url, url)))
    throw new PostgresError(
      "DATABASE_URL leads to a connection pooler in transaction mode. Migrations and messages between instances need a direct connection. Set DATABASE_DIRECT_URL to PostgreSQL's own address.",
    );
  if (!direct) return [];
  if (!(await hears(direct, url)))
    throw new PostgresError(
      "A NOTIFY sent through DATABASE_URL does not arrive through DATABASE_DIRECT_URL. Both addresses must lead to the same database. DATABASE_DIRECT_URL must not lead to a connection pooler.",
    );
  if (pooled && !(await keepsStatements(url)) && !(await hears(url, url)))
    throw new PostgresError(
      "The connection pooler at DATABASE_URL does not support prepared statements. Use PgBouncer 1.21 or later, with max_prepared_statements above 0.",
    );
  return (await unlimited(url)) ? [limitsAreTheRoles] : [];
}

const limitsAreTheRoles =
  "Statements have no time limit behind the connection pooler at DATABASE_URL. Run these statements once as the role in DATABASE_URL: " +
  "ALTER ROLE CURRENT_USER SET statement_timeout = '2s'; ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '10s'";

/**
 * Waits for a database and checks it.
 * @returns whether a pooler is between this process and the database
 */
async function look(name: string, address: Address, { seconds = 0, tell = () => {} }: WaitOptions): Promise<boolean> {
  const giveUp = clock.now() + seconds * 1000;
  for (let notified = false; ; notified = true) {
    const found = await ask(address).catch((error: unknown) => {
      if (clock.now() >= giveUp || !(isPassing(error) || (isCluster(address.url) && sqlState(error) === readOnly)))
        throw new PostgresError(`Could not connect to the database at ${name}: ${reasonOf(error)}.`);
      if (!notified) tell(`Waiting up to ${seconds} s for the database at ${name}: ${reasonOf(error)}`);
    });
    if (found) return judge(name, found);
    await clock.pause(500);
  }
}

type ServerFacts = { version: number; standby: boolean; readOnly: boolean; process: number; announcedProcess: number };

/** Runs work on a separate connection. SPQR's router needs a shard for the connection's statements. */
const connected = <T>({ url, isSpqr }: Address, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(
    url,
    async (client) => {
      if (isSpqr) await client.query(selectDirectory);
      return work(client);
    },
    timeouts,
  );
const timeouts = { connectionTimeoutMillis: 3000, query_timeout: 3000, application_name: "countersign check" };

/** Connects once, and reads properties of the server. */
const ask = (address: Address): Promise<ServerFacts> =>
  connected(address, async (client) => {
    const { rows } = await client.query<Omit<ServerFacts, "announcedProcess">>(
      `SELECT current_setting('server_version_num')::int AS version,
           pg_is_in_recovery() AS standby,
           current_setting('transaction_read_only')::boolean AS "readOnly",
           pg_backend_pid() AS process`,
    );
    // A pooler announces its own process ID instead of PostgreSQL's.
    return { ...rows[0]!, announcedProcess: (client as pg.Client & { processID: number }).processID };
  });

function judge(name: string, { version, standby, readOnly, process, announcedProcess }: ServerFacts): boolean {
  if (version < 140_000)
    throw new PostgresError(
      `The PostgreSQL server at ${name} is older than version 14. Upgrade the server to version 14 or later.`,
    );
  if (standby)
    throw new PostgresError(
      `The database at ${name} is a standby, which accepts no writes. Set ${name} to the address of the primary.`,
    );
  if (readOnly)
    throw new PostgresError(
      `The database at ${name} is read-only. Set ${name} to the address of a server that accepts writes.`,
    );
  return process !== announcedProcess;
}

/** Tests whether a NOTIFY through one URL reaches a listener at another. */
const hears = (listening: Address, telling: Address): Promise<boolean> =>
  connected(listening, async (listener) => {
    const heard = new Promise<boolean>((resolve) => {
      listener.on("notification", () => resolve(true));
      // Two seconds are enough for one message, and the operator is waiting.
      clock.setTimeout(() => resolve(false), 2000).unref();
    });
    await listener.query(`LISTEN ${channel}`);
    await connected(telling, (teller) => teller.query(`SELECT pg_notify('${channel}', '')`));
    return heard;
  });
const channel = "countersign_check";

/** Whether a pooler supports prepared statements. A pooler that supports them renames them. */
const keepsStatements = (address: Address): Promise<boolean> =>
  connected(address, async (client) => {
    await client.query("BEGIN");
    const name = `countersign_check_${process.pid}`;
    await client.query({ name, text: "SELECT" });
    const { rows } = await client.query("SELECT FROM pg_prepared_statements WHERE name = $1", [name]);
    await client.query("ROLLBACK");
    return rows.length === 0;
  });

const unlimited = (address: Address): Promise<boolean> =>
  connected(address, async (client) => {
    const { rows } = await client.query("SELECT current_setting('statement_timeout') AS timeout");
    return rows[0]?.timeout === "0";
  });

/**
 * SQLSTATE read_only_sql_transaction. If there are several servers, perhaps none has become the
 * primary yet.
 */
const readOnly = "25006";

/** Whether an error means that a database, network or pooler is temporarily unavailable. */
export const isPassing = (error: unknown): boolean =>
  /^(08|53|57P|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|EPIPE)/.test(sqlState(error)) ||
  /timeout|terminated/i.test((error as Error).message);

/** Returns an error's cause as part of a sentence. */
export function reasonOf(error: unknown): string {
  const { errors, code, message } = error as { errors?: unknown[]; code?: string; message?: string };
  if (errors?.length) return reasonOf(errors[0]);
  return redact((message || code || "unknown").replace(/\.$/, ""));
}
