import { clock } from "@/lib/clock";
import type { ServiceSettings } from "@/lib/config/env";
import { checkDatabase } from "@/lib/postgres/connection-check";
import { migrationState } from "@/lib/postgres/migrations";
import { withClient } from "@/lib/postgres/with-client";
import { plural } from "@/lib/text/plural";
import { secretFile } from "../secret-check";
import { type CheckResult, fail, findingsOr, note, ok, type Section, sizeText, spanText } from "./check-result";

/**
 * The database's addresses. `url` is the service's address. `owner` is the address without a pooler
 * or, for the embedded database, the superuser's address.
 */
export type Addresses = { url: string; owner: string; embedded: boolean };

/**
 * Checks whether a connection pooler at DATABASE_URL interferes with the service.
 * @throws {PostgresError} if the service can't use the database
 */
export async function seePooler(settings: ServiceSettings): Promise<CheckResult> {
  const warnings = await checkDatabase(settings);
  const through = settings.DATABASE_DIRECT_URL
    ? "Queries and NOTIFY work through DATABASE_URL and DATABASE_DIRECT_URL."
    : "No connection pooler interferes with queries or NOTIFY.";
  return {
    findings: findingsOr(
      warnings.map((it) => note(`${it[0]?.toUpperCase()}${it.slice(1)}.`)),
      through,
    ),
  };
}

type Server = {
  version: string;
  bytes: string;
  connections: number;
  maxConnections: number;
  careless: string[] | null;
  superuser: boolean;
  pageCost: number;
  archiving: boolean;
  failing: boolean;
  slot: string | null;
  kept: string | null;
};

/** Facts that every role can read from the server. */
const about = `
  SELECT current_setting('server_version') AS version,
    pg_database_size(current_database()) AS bytes,
    (SELECT sum(numbackends)::int FROM pg_stat_database) AS connections,
    current_setting('max_connections')::int AS "maxConnections",
    (
      SELECT array_agg(name ORDER BY name)
      FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
    ) AS careless,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
    current_setting('random_page_cost')::float8 AS "pageCost",
    current_setting('archive_mode') <> 'off' AS archiving,
    (
      SELECT last_failed_time > coalesce(last_archived_time, '-infinity')
      FROM pg_stat_archiver
    ) IS TRUE AS failing,
    slot.slot_name AS slot, slot.kept
  FROM (VALUES (1)) AS one_row
    LEFT JOIN LATERAL (
      SELECT slot_name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint AS kept
      FROM pg_replication_slots
      WHERE NOT active AND restart_lsn IS NOT NULL
      ORDER BY kept DESC LIMIT 1
    ) AS slot ON true`;

/**
 * The maximum bytes of WAL that an unused replication slot may retain before we warn. More could
 * fill the disk.
 */
const maxKeptBytes = 2 ** 30;

/** Checks the database server's version, role, clock, free connections and durability. */
export async function seeServer({ owner, embedded }: Addresses): Promise<Section[]> {
  const [it, ahead] = await withClient(
    owner,
    async (client) => {
      // Warms up the connection, because a cold connection would distort the measurement.
      await client.query("SELECT 1");
      const began = [clock.now(), clock.elapsed()] as const;
      const { rows } = await client.query<{ now: number }>(
        "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now",
      );
      const ahead = began[0] + (clock.elapsed() - began[1]) / 2 - (rows[0]?.now ?? 0);
      return [(await client.query<Server>(about)).rows[0] as Server, ahead] as const;
    },
    { query_timeout: 10_000, application_name: "countersign doctor" },
  );
  const bytes = Number(it.bytes);
  const share = it.connections / it.maxConnections;
  return [
    {
      about: "Database",
      findings: [
        ok(`PostgreSQL ${it.version.split(" ")[0]} responds. The database size is ${sizeText(bytes)}.`),
        ...(it.superuser && !embedded
          ? [
              note(
                "DATABASE_URL names a superuser. Create a role without superuser rights, and use the role in DATABASE_URL (see docs/operations.md).",
              ),
            ]
          : []),
        ...(it.pageCost >= 4 && !embedded
          ? [
              note(
                "PostgreSQL's random_page_cost is set for hard disks. If the database is on an SSD, run ALTER ROLE CURRENT_USER SET random_page_cost = 1.1 as the role in DATABASE_URL.",
              ),
            ]
          : []),
      ],
    },
    {
      about: "Connections",
      findings: [
        (share > 0.85 ? fail : ok)(
          `Connections in use: ${it.connections} of ${it.maxConnections}.${share > 0.85 ? " Lower DATABASE_POOL, raise max_connections, or put PgBouncer in front of PostgreSQL." : ""}`,
        ),
      ],
    },
    { about: "Clock", findings: [clockSays(ahead)] },
    {
      about: "Durability",
      findings: durabilitySays(it),
    },
  ];
}

type Durability = Pick<Server, "careless" | "archiving" | "failing" | "slot" | "kept">;

export const durabilitySays = ({ careless, archiving, failing, slot, kept }: Durability) =>
  findingsOr(
    [
      careless !== null &&
        fail(
          `A crash can lose answers that apps have already received. Set ${careless.map((name) => `${name} = on`).join(", ")} in PostgreSQL.`,
        ),
      failing &&
        fail(
          "archive_command is failing, so the write-ahead log is filling PostgreSQL's disk. Find the reason in PostgreSQL's error log.",
        ),
      Number(kept) > maxKeptBytes &&
        fail(
          `The replication slot ${slot} is not in use and retains ${sizeText(Number(kept))} of write-ahead log. Reconnect the slot's replica, or drop the slot.`,
        ),
    ],
    `Acknowledged writes survive a crash${archiving ? ", and PostgreSQL archives the write-ahead log" : ""}.`,
  );

/**
 * Returns the finding about the clocks.
 * @param ahead how far this computer's clock is ahead of the database's, in milliseconds
 */
export function clockSays(ahead: number) {
  const offset = `${spanText(ahead / 1000)} ${ahead > 0 ? "ahead of" : "behind"} the database's`;
  return Math.abs(ahead) > 5000
    ? fail(`This computer's clock is ${offset}. Synchronize both computers with the same time server.`)
    : ok("The clocks of this computer and the database agree.");
}

/**
 * Checks the migrations.
 * @returns the findings, and whether this version can use the database
 */
export async function seeMigrations({ owner }: Addresses): Promise<CheckResult & { upToDate: boolean }> {
  const { applied, missing, restored } = await migrationState(owner);
  const apply = 'Run "npm run -s countersign -- migrate", or start an instance with MIGRATE=on.';
  if (missing.length > 0) {
    const many = plural(missing.length, { one: "# migration is", other: "# migrations are" });
    return { findings: [fail(`${many} pending, starting with ${missing[0]}. ${apply}`)], upToDate: false };
  }
  if (restored)
    return {
      findings: [
        fail(`The database was restored from a dump, and its event numbers have not been adjusted yet. ${apply}`),
      ],
      upToDate: true,
    };
  return {
    findings: [ok(`${plural(applied, { one: "# migration is", other: "All # migrations are" })} applied.`)],
    upToDate: true,
  };
}

/** Returns the secret's source, as the beginning of a sentence. */
export const whence = ({ SECRET }: ServiceSettings) => (SECRET ? "SECRET" : `The secret in ${secretFile()}`);
