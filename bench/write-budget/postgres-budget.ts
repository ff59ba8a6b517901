import { readFileSync } from "node:fs";
import pg from "pg";
import type { AppActor } from "@/lib/actor";
import { getApproval, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { resetEnv } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { newId } from "@/lib/ids";
import { migrate } from "@/lib/postgres/migrations";
import type { Scope } from "@/lib/scopes";
import { anAppWith } from "@/lib/testing/factories";
import { inDatabase, query, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { secret } from "../benchmark-servers";
import { ask } from "../rounds";
import { serviceTables } from "../service-tables";
import { median } from "../statistics";
import { type Recorded, recordStatements, withId } from "./recorded-statements";

/** A change to the schema or to the session, which shows the cost of one part of the write. */
type Variant = { part: string; ddl?: string; session?: string };

/** CPU time in µs and write-ahead log in bytes of one call. */
export type Cost = { cpu: number; wal: number };
/** A part of an operation, with what the operation costs less without the part. */
export type Part = { operation: string; part: string } & Cost;

/** The statements of one submitted, answered and read approval, with its ID. */
type Statements = { id: string; submit: Recorded; resolve: Recorded; read: Recorded };

/**
 * Measures what each part of a lone submit and resolve costs in PostgreSQL. Repeats the service's
 * own statements on one connection, with and without the part.
 * @param calls the number of calls in each measurement
 */
export async function postgresBudget(calls: number, rounds: number): Promise<Part[]> {
  const { url, end } = await throwawayPostgres(["autovacuum=off"]);
  try {
    const template = "budget";
    await query(url, `CREATE DATABASE ${template}`);
    const address = inDatabase(url, template);
    await migrate(address);
    Object.assign(process.env, { DATABASE_URL: address, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
    process.env.MAX_PENDING = "0";
    resetEnv();
    const statements = await recordOnce(address);
    const variants = [...sessions, ...(await schemaVariants(address))];
    const measureIn = async (variant: Variant) => {
      await query(url, `CREATE DATABASE measured TEMPLATE ${template}`);
      const costs = await measure(inDatabase(url, "measured"), variant, statements, calls);
      await query(url, "DROP DATABASE measured WITH (FORCE)");
      return costs;
    };
    const wholes = new Map<string, Cost[]>();
    const saved = new Map<string, Cost[]>();
    for (let round = 0; round < rounds; round++) {
      for (const variant of variants) {
        // Measured one after the other, because the machine's speed changes.
        const waits = variant.session === withoutWaiting;
        const whole = await measureIn({ part: "", ...(!waits && { session: withoutWaiting }) });
        const without = await measureIn({ ...variant, session: [withoutWaiting, variant.session].join(";") });
        const title = waits ? "all, with the wait for the disk" : "all, without waiting for the disk";
        for (const [operation, cost] of whole) add(wholes, `${operation}\t${title}`, cost);
        for (const [operation, cost] of without) {
          const { cpu, wal } = whole.get(operation) as Cost;
          add(saved, `${operation}\t${variant.part}`, { cpu: cpu - cost.cpu, wal: wal - cost.wal });
        }
      }
    }
    return [...medians(wholes), ...medians(saved)];
  } finally {
    await end();
  }
}

/** Records the statements with the database of one app, and fills the tables. */
async function recordOnce(address: string): Promise<Statements> {
  const app = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const by = (needs: Scope): AppActor => ({ ...app.app, needs });
  const sql = new pg.Client({ connectionString: address });
  await sql.connect();
  await serviceTables(sql, [{ token: app.token, ownerId: app.owner.ownerId, appId: app.clientId }], 1000).fill();
  await sql.end();
  let id = "";
  const recorded = await recordStatements(async () => {
    ({ id } = await submitApproval(by("approvals:write"), ask));
    await resolveApproval(by("approvals:resolve"), id, { kind: "option", optionId: "ship" });
    await getApproval(by("approvals:read"), id);
  });
  await closePubsub();
  await closeDb();
  const of = (part: string) => recorded.find(({ text }) => text.includes(part)) as Recorded;
  return { id, submit: of("INSERT INTO approval"), resolve: of("UPDATE approval"), read: of("LEFT JOIN LATERAL") };
}

/**
 * Waiting for the disk varies by more than most parts cost, so only the first variant and its
 * baseline wait.
 */
const withoutWaiting = "SET synchronous_commit = off";

/** Parts that a setting of the session changes. */
const sessions: Variant[] = [
  { part: "waiting for the disk at commit", session: withoutWaiting },
  { part: "planning, which a kept plan saves", session: "SET plan_cache_mode = force_custom_plan" },
  ...["jit = off", "track_activities = off", "wal_compression = off"].map((setting) => ({
    part: `setting ${setting}`,
    session: `SET ${setting}`,
  })),
];

/** One variant for each index, trigger, check and generated column of the written tables. */
async function schemaVariants(address: string): Promise<Variant[]> {
  const sql = new pg.Client({ connectionString: address });
  await sql.connect();
  const { rows: indexes } = await sql.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name
     FROM pg_index JOIN pg_class c ON c.oid = indexrelid
     WHERE indrelid IN ('approval'::regclass, 'event'::regclass) AND NOT indisprimary
     ORDER BY indrelid, 1`,
  );
  await sql.end();
  return [
    ...indexes.map(({ name }) => ({ part: `index ${name}`, ddl: `DROP INDEX ${name}` })),
    {
      part: "all of these indexes",
      ddl: `DROP INDEX ${indexes.map(({ name }) => name).join(", ")}`,
    },
    { part: "check approval_rules", ddl: "ALTER TABLE approval DROP CONSTRAINT approval_rules" },
    {
      part: "generated column question_json",
      ddl: "ALTER TABLE approval ALTER question_json DROP EXPRESSION, ALTER question_json SET DEFAULT '', ALTER question_json SET STORAGE PLAIN",
    },
    { part: "triggers of approval", ddl: "ALTER TABLE approval DISABLE TRIGGER ALL" },
    { part: "defaults of event", ddl: "ALTER TABLE event ALTER tx SET DEFAULT '0'" },
  ];
}

/** Measures each operation in one database. */
async function measure(address: string, { ddl, session }: Variant, statements: Statements, calls: number) {
  const sql = new pg.Client({ connectionString: address });
  await sql.connect();
  try {
    if (ddl) await sql.query(ddl);
    if (session) await sql.query(session);
    const { rows } = await sql.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const pid = rows[0]?.pid as number;
    const ids = Array.from({ length: warmUp + calls }, () => newId("apr"));
    const { id, submit, resolve, read } = statements;
    const costs = new Map<string, Cost>();
    const run = async (operation: string, call: (id: string) => pg.QueryConfig) => {
      for (const one of ids.slice(0, warmUp)) await sql.query(call(one));
      const before = await usage(sql, pid);
      for (const one of ids.slice(warmUp)) await sql.query(call(one));
      const after = await usage(sql, pid);
      costs.set(operation, { cpu: (after.cpu - before.cpu) / calls, wal: (after.wal - before.wal) / calls });
    };
    await run("submit", (one) => ({ ...submit, values: withId(submit, id, one) }));
    await run("resolve", (one) => ({ ...resolve, values: withId(resolve, id, one) }));
    if (!ddl && (!session || session === withoutWaiting)) {
      await run("read", (one) => ({ ...read, values: withId(read, id, one) }));
      await run("authorize", () => ({ ...read, values: withId(read, id, newId("apr")) }));
      await run("empty statement", () => ({ name: "empty", text: "SELECT 1" }));
      await run("event alone", (one) => ({
        name: "event",
        text: "INSERT INTO event (owner_id, app_id, type, subject) VALUES ($1, $2, 'approval.submitted', $3)",
        values: ["own_budget", "app_budget", one],
      }));
    }
    return costs;
  } finally {
    await sql.end();
  }
}

/** PostgreSQL uses generic plans from the sixth call on. */
const warmUp = 200;

/** The CPU time of a backend in µs, and the position in the write-ahead log. */
async function usage(sql: pg.Client, pid: number): Promise<Cost> {
  const { rows } = await sql.query<{ at: string }>("SELECT pg_current_wal_insert_lsn() - '0/0' AS at");
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
  return { cpu: Number(nanoseconds) / 1000, wal: Number(rows[0]?.at) };
}

const add = (costs: Map<string, Cost[]>, key: string, cost: Cost) => costs.set(key, [...(costs.get(key) ?? []), cost]);

const medians = (costs: Map<string, Cost[]>): Part[] =>
  [...costs].map(([key, all]) => {
    const [operation = "", part = ""] = key.split("\t");
    return { operation, part, cpu: median(all.map(({ cpu }) => cpu)), wal: median(all.map(({ wal }) => wal)) };
  });
