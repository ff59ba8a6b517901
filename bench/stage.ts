import { type ChildProcess, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import pg from "pg";
import { closeDb } from "@/lib/db";
import { resetEnv } from "@/lib/env";
import { key } from "@/lib/keys/crypto";
import { freePort } from "@/lib/net/free-port";
import { migrate } from "@/lib/postgres/migrations";
import { anAppWith } from "@/lib/testing/factories";
import { throwawayPostgres } from "@/lib/testing/throwaway";

/** Everything a measurement stands on: one durable Postgres, our service and the peer on it, one app with a token. */
export type Stage = {
  url: string;
  sql: pg.Client;
  token: string;
  ours: number;
  peer: number;
  /** Leave the app with exactly so many approvals, all but a hundred of them answered. */
  fill(size: number): Promise<void>;
  /** So many approvals that wait. @returns their ids */
  pending(count: number): Promise<string[]>;
  /** Resident memory of the service in MiB: at rest before the first request, and now. */
  memory(): Promise<{ rest: number; now: number }>;
  close(): Promise<void>;
};

export const secret = "only-for-the-bench-0123456789abcdef0123456789abcdef";

export async function openStage(): Promise<Stage> {
  // With the settings that `npm start` gives its own and no others, durable: what is measured includes the way to the disk.
  const { url, end: endPostgres } = await throwawayPostgres([]);
  await migrate(url);
  Object.assign(process.env, { DATABASE_URL: url, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
  resetEnv();
  const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const pepper = key("token-pepper").toString("hex");
  await closeDb();

  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  const [ours, peer] = [await startOurs(url), await startPeer(url, pepper)];
  const rest = resident(ours.child);

  return {
    url,
    sql,
    token,
    ours: ours.port,
    peer: peer.port,
    fill: (size) => fill(sql, size),
    pending: (count) => pending(sql, count),
    memory: async () => ({ rest, now: resident(ours.child) }),
    close: async () => {
      await sql.end();
      await Promise.all([end(ours.child), end(peer.child)]);
      await endPostgres();
    },
  };
}

/** The service as `npm start` runs it, without limits. */
export async function startOurs(url: string) {
  const port = await freePort();
  const child = spawn(process.execPath, ["--max-semi-space-size=64", "lib/cli/start.mjs"], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      SECRET: secret,
      RATE_LIMIT: "0",
      MAX_PENDING: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (text) => String(text).includes("Countersign is at") && resolve());
    child.once("exit", (code) => reject(new Error(`the service did not start (${code})`)));
  });
  return { child, port };
}

async function startPeer(url: string, pepper: string) {
  const child = fork("bench/fastify.ts", [url, pepper], {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", (code) => reject(new Error(`the peer did not start (${code})`)));
  });
  return { child, port };
}

export const end = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

/** Resident memory in MiB. */
export const resident = ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

const options = `[{"id":"ship","label":"Ship now"},{"id":"wait","label":"Wait for the soak test","note":"Ends at 18:00"}]`;

async function fill(sql: pg.Client, size: number) {
  await empty(sql);
  await sql.query(
    `INSERT INTO approval (id, owner_id, app_id, question, options, background_context, content_hash, status, resolution,
       created_at, resolved_at)
     SELECT 'apr_' || substr(lpad(to_hex(n), 8, '0') || md5(n::text), 1, 32), g.owner_id, g.app_id, 'Ship build ' || n || ' to production?', $2::json,
       'The soak test has run for ' || n % 90 || ' minutes without a fault.',
       -- Any will do: it is read, never compared.
       'sha256:' || encode(sha256(n::text::bytea), 'hex'),
       CASE WHEN n > $1 - 100 THEN 'pending' ELSE 'resolved' END,
       CASE WHEN n > $1 - 100 THEN NULL ELSE '{"kind":"option","optionId":"ship","resolvedBy":"owner","resolvedAt":1760000000000}'::json END,
       now() - ($1 - n) * interval '1 second', CASE WHEN n > $1 - 100 THEN NULL ELSE now() END
     FROM generate_series(1, $1::int) AS n, app_grant g`,
    [size, options],
  );
  await sql.query("VACUUM ANALYZE");
  await sql.query("CHECKPOINT");
}

/**
 * Every table that refers to approval, and approval last: in the order in which chores lock them, who go on meanwhile. CASCADE
 * begins with approval, and meets them in a deadlock.
 */
async function empty(sql: pg.Client) {
  const { rows } = await sql.query<{ names: string }>(
    `WITH RECURSIVE holds (id, depth) AS (
       SELECT 'approval'::regclass::oid, 0
       UNION ALL SELECT c.conrelid, h.depth + 1 FROM holds h JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = h.id AND c.conrelid <> h.id
     ), ordered AS (SELECT id, max(depth) AS depth FROM holds GROUP BY id)
     SELECT string_agg(id::regclass::text, ', ' ORDER BY depth DESC, id) AS names FROM ordered`,
  );
  await sql.query(`TRUNCATE ${rows[0]?.names}`);
}

async function pending(sql: pg.Client, count: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO approval (id, owner_id, app_id, question, options)
     SELECT 'apr_' || substr(md5(random()::text) || md5(n::text), 1, 32), g.owner_id, g.app_id, 'Ship build ' || n || ' to production?', $2::json
     FROM generate_series(1, $1::int) AS n, app_grant g RETURNING id`,
    [count, options],
  );
  // What was written for the measurement is not to be flushed during it.
  await sql.query("CHECKPOINT");
  return rows.map((row) => row.id);
}
