import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { sqlState } from "@/lib/errors";
import { redact } from "@/lib/log";
import { isCluster } from "@/lib/net/database-hosts";
import { PostgresError } from "./instance";
import type { Tell } from "./os-user";
import { withClient } from "./with-client";

type Given = { DATABASE_URL?: string | undefined; DATABASE_DIRECT_URL?: string | undefined };
type Waiting = { seconds?: number; tell?: Tell };

/**
 * Look at the database that the operator set before anything is tried with it, so that what is wrong is told in a sentence: that it
 * cannot be reached or written to, and what a pooler before it does not do.
 * @param waiting how long for a database that is away, as while everything starts at once, and whom to tell of it
 * @returns sentences about what works and should be better
 * @throws {PostgresError}
 */
export async function checkDatabase(
  { DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: Given,
  waiting: Waiting = {},
): Promise<string[]> {
  if (!url) return [];
  const pooled = await look("DATABASE_URL", url, waiting);
  if (direct) await look("DATABASE_DIRECT_URL", direct, waiting);
  if (!direct && pooled && !(await hears(url, url)))
    throw new PostgresError(
      "DATABASE_URL leads to a connection pooler that gives a session to others after each transaction: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, for migrations and for news between copies.",
    );
  if (!direct) return [];
  if (!(await hears(direct, url)))
    throw new PostgresError(
      "What is told at DATABASE_URL is not heard at DATABASE_DIRECT_URL: both must lead to the same database, the second without a connection pooler.",
    );
  if (pooled && !(await keepsStatements(url)) && !(await hears(url, url)))
    throw new PostgresError(
      "The connection pooler at DATABASE_URL does not keep prepared statements: PgBouncer does from 1.21 on, with max_prepared_statements above 0.",
    );
  return (await unlimited(url)) ? [limitsAreTheRoles] : [];
}

const limitsAreTheRoles =
  "statements have no time limit behind the connection pooler at DATABASE_URL: as its role, once, run " +
  "ALTER ROLE CURRENT_USER SET statement_timeout = '2s'; ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '10s'";

/** @returns whether something stands between that keeps sessions of its own, as poolers do */
async function look(name: string, url: string, { seconds = 0, tell = () => {} }: Waiting): Promise<boolean> {
  const giveUp = Date.now() + seconds * 1000;
  for (let told = false; ; told = true) {
    const found = await ask(url).catch((error: unknown) => {
      if (Date.now() >= giveUp || !(passing(error) || (isCluster(url) && sqlState(error) === readOnly)))
        throw new PostgresError(`The database at ${name} cannot be reached: ${reasonOf(error)}.`);
      if (!told) tell(`Waiting up to ${seconds} s for the database at ${name}: ${reasonOf(error)}`);
    });
    if (found) return judge(name, found);
    await pause(500);
  }
}

type Found = { version: number; standby: boolean; readOnly: boolean; process: number; told: number };

const patience = { connectionTimeoutMillis: 3000, query_timeout: 3000, application_name: "countersign check" };

/** One connection, and what there is to know about what is behind it. */
const ask = (url: string): Promise<Found> =>
  withClient(
    url,
    async (client) => {
      const { rows } = await client.query<Omit<Found, "told">>(
        `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
          current_setting('transaction_read_only')::boolean AS "readOnly", pg_backend_pid() AS process`,
      );
      // Poolers tell a number of their own.
      return { ...rows[0]!, told: (client as pg.Client & { processID: number }).processID };
    },
    patience,
  );

function judge(name: string, { version, standby, readOnly, process, told }: Found): boolean {
  if (version < 140_000) throw new PostgresError(`The database at ${name} is older than PostgreSQL 14.`);
  if (standby)
    throw new PostgresError(
      `The database at ${name} is a standby, which takes no writes: set the address of its primary.`,
    );
  if (readOnly) throw new PostgresError(`The database at ${name} is read-only.`);
  return process !== told;
}

/** Whether who listens at one address hears what is told at another. */
const hears = (listening: string, telling: string): Promise<boolean> =>
  withClient(
    listening,
    async (listener) => {
      const heard = new Promise<boolean>((resolve) => {
        listener.on("notification", () => resolve(true));
        // Ample for a message, and the one who waits watches.
        setTimeout(resolve, 2000, false).unref();
      });
      await listener.query(`LISTEN ${channel}`);
      await withClient(telling, (teller) => teller.query(`NOTIFY ${channel}`), patience);
      return heard;
    },
    patience,
  );
const channel = "countersign_check";

/** A pooler that keeps them gives them names of its own. */
const keepsStatements = (url: string): Promise<boolean> =>
  withClient(
    url,
    async (client) => {
      await client.query("BEGIN");
      const name = `countersign_check_${process.pid}`;
      await client.query({ name, text: "SELECT" });
      const { rows } = await client.query("SELECT FROM pg_prepared_statements WHERE name = $1", [name]);
      await client.query("ROLLBACK");
      return rows.length === 0;
    },
    patience,
  );

const unlimited = (url: string): Promise<boolean> =>
  withClient(
    url,
    async (client) => {
      const { rows } = await client.query("SELECT current_setting('statement_timeout') AS most");
      return rows[0]?.most === "0";
    },
    patience,
  );

/** SQLSTATE read_only_sql_transaction: of several servers, that none is the primary yet. */
const readOnly = "25006";

/** What a database says that is away for now, or its network, or a pooler in front of it. */
const passing = (error: unknown): boolean =>
  /^(08|53|57P|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|EPIPE)/.test(sqlState(error)) ||
  /timeout|terminated/i.test((error as Error).message);

/** What an error says, for the inside of a sentence. */
export function reasonOf(error: unknown): string {
  const { errors, code, message } = error as { errors?: unknown[]; code?: string; message?: string };
  if (errors?.length) return reasonOf(errors[0]);
  return redact((message || code || "unknown").replace(/\.$/, ""));
}
