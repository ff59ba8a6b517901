import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { clock } from "@/lib/clock";
import { readOrCreateSecret } from "@/lib/keys/secret-file";
import { log } from "@/lib/log";
import { locateInstance } from "./data-directory";
import type { Tell } from "./os-user";
import { type Instance, isRunning, PostgresError, runningPort, start, stop, superuser } from "./postgres-server";
import { grantToService, makeServiceRole, servicePassword, serviceRole } from "./service-role";

/** The running PostgreSQL server of a data folder. */
export type Cluster = {
  /** The URL for the service. Its role can only read and write rows. */
  url: string;
  /** The URL for migrations. Its role is the superuser, which owns the tables. */
  ownerUrl: string;
  /** Grants the service access to the tables that migrations created. */
  grant(): Promise<void>;
  /** Stops using the cluster. Stops PostgreSQL if none of our other processes uses it. */
  close(): Promise<void>;
};

/** Thrown if another instance of the service is using the data folder. */
export class InUse extends Error {}

/**
 * Advisory locks in the database `postgres`. PostgreSQL releases them when the connection that
 * holds them ends. Every process that uses the cluster holds `using` as a shared lock, so that the
 * last one can stop PostgreSQL. Only one service can hold `serving`.
 */
const locks = { using: 4_600_201, serving: 4_600_202 };

const database = "countersign";

/**
 * Opens the PostgreSQL server of a data folder. Uses a running server that another of our processes
 * started, or that outlived a killed process; otherwise, starts one.
 * @param dataDir the absolute path of an existing folder
 * @throws {InUse} if the caller is the service, and another instance is still serving after 3
 * seconds
 */
export async function openCluster(dataDir: string, use: "service" | "command", tell: Tell): Promise<Cluster> {
  const passwordFile = join(dataDir, "postgres.password");
  const password = readOrCreateSecret(passwordFile, 24);
  const instance = await locateInstance(dataDir, password, tell);
  checkVersion(instance);

  const address = (port: number, name: string) => `postgresql://${superuser}:${password}@127.0.0.1:${port}/${name}`;
  const forService = servicePassword(password);
  let ours = false;
  const begin = (wanted?: number) => {
    ours = true;
    return start(instance, wanted);
  };
  const enter = async (wanted?: number) => {
    const began = clock.now();
    for (;;) {
      const port = ((await isRunning(instance)) && runningPort(instance)) || (await begin(wanted));
      const client = await connect(address(port, "postgres"), passwordFile);
      const entered = client ? await takeLocks(client, use) : "stopping";
      if (client && entered === "mine") return { client, port };
      await client?.end().catch(() => {});
      if (entered === "serving" && clock.now() - began > 3000) {
        throw new InUse(
          `The data folder ${dataDir} is in use by another running instance. Stop that instance, or set DATA_DIR to another folder.`,
        );
      }
      if (clock.now() - began > 60_000)
        throw new PostgresError(`PostgreSQL does not respond. For the reason, see ${instance.log}.`);
      await clock.pause(150);
    }
  };

  let { client, port } = await enter().catch(async (error) => {
    // If this process started the server but can't use it, the server must stop.
    if (ours && !(error instanceof InUse)) await stop(instance);
    throw error;
  });
  await prepare(client, forService).catch(async (error) => {
    if (await leave(client).catch(() => false)) await stop(instance);
    throw error;
  });

  let closed = false;
  const watch = () =>
    client.once("end", async () => {
      if (closed) return;
      log.warn("PostgreSQL stopped; the service will restart it");
      for (;;) {
        try {
          ({ client } = await enter(port));
          if (closed) return void client.end();
          watch();
          return log.info("PostgreSQL is running again");
        } catch (error) {
          log.error("could not restart PostgreSQL; the service will retry", error);
          await clock.pause(2000);
        }
      }
    });
  watch();

  return {
    url: `postgresql://${serviceRole}:${forService}@127.0.0.1:${port}/${database}`,
    ownerUrl: address(port, database),
    grant: () => grantToService(address(port, database)),
    async close() {
      closed = true;
      const alone = await leave(client).catch(() => false);
      if (alone) await stop(instance);
      await client.end().catch(() => {});
    },
  };
}

function checkVersion({ data, binaries }: Instance) {
  const file = join(data, "PG_VERSION");
  const made = existsSync(file) ? readFileSync(file, "utf8").trim() : "?";
  const [ours] = binaries.version.split(".");
  if (made !== ours) {
    throw new PostgresError(
      `The database in ${data} was created by PostgreSQL ${made}, but this version of Countersign includes PostgreSQL ${ours}. Use the version of Countersign that created the database, or move the data with pg_dump.`,
    );
  }
}

/**
 * Connects once PostgreSQL accepts connections, which takes a while after a crash. Returns
 * undefined if PostgreSQL stopped instead.
 */
async function connect(url: string, passwordFile: string): Promise<pg.Client | undefined> {
  const giveUp = clock.now() + 120_000;
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      application_name: "countersign lease",
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === "28P01")
        throw new PostgresError(
          `The database rejects the password in ${passwordFile}. Restore the file's previous version.`,
        );
      // 57P03 means that the server is starting up or shutting down.
      if (code !== "57P03" || /shutting down/.test(message)) return undefined;
      if (clock.now() > giveUp) throw error;
      await clock.pause(200);
    }
  }
}

async function takeLocks(client: pg.Client, use: "service" | "command"): Promise<"mine" | "serving" | "stopping"> {
  try {
    if (!(await ask(client, "pg_try_advisory_lock_shared", locks.using))) return "stopping";
    if (use === "service" && !(await ask(client, "pg_try_advisory_lock", locks.serving))) return "serving";
    return "mine";
  } catch {
    return "stopping";
  }
}

/**
 * Stops using the cluster.
 * @returns whether no other process was using it; in that case, none can join until PostgreSQL has
 * stopped
 */
async function leave(client: pg.Client): Promise<boolean> {
  await ask(client, "pg_advisory_unlock_shared", locks.using);
  return ask(client, "pg_try_advisory_lock", locks.using);
}

async function ask(client: pg.Client, what: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(`SELECT ${what}($1) AS yes`, [lock]);
  return rows[0]?.yes === true;
}

async function prepare(client: pg.Client, passwordOfService: string) {
  await ensureDatabase(client);
  await makeServiceRole(client, passwordOfService);
}

async function ensureDatabase(client: pg.Client) {
  const { rows } = await client.query("SELECT FROM pg_database WHERE datname = $1", [database]);
  if (rows.length > 0) return;
  await client.query(`CREATE DATABASE ${database}`).catch((error: { code?: string }) => {
    // Another process may have created the database first.
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}
