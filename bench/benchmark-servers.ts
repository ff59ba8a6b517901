import { type ChildProcess, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { basename, join } from "node:path";
import pg from "pg";
import { resetEnv } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { key } from "@/lib/keys/crypto";
import { freePort } from "@/lib/net/free-port";
import { migrate } from "@/lib/postgres/migrations";
import { anAppWith } from "@/lib/testing/factories";
import { inDatabase, query, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { schema } from "./lean/schema";
import { leanTables } from "./lean/tables";
import { type ProcessProbes, processProbes } from "./process-probes";
import { cpuSeconds, resident, residentAtRest } from "./process-usage";
import { type Caller, serviceTables, type Tables } from "./service-tables";

/**
 * A server under measurement. `cpu` is CPU seconds so far. `delay` is the event loop delay since
 * the last call, p99 in ms. `profile` returns the CPU profiles of the server's processes during the
 * work.
 */
export type Server = {
  name: string;
  port: number;
  tables: Tables;
  cpu(): number;
  delay(): Promise<number>;
  profile: (work: () => Promise<void>) => Promise<Profiler.Profile[]>;
};

/** Creates databases with this many approvals each, and their servers. The service comes first. */
export type Site = {
  size: number;
  callers: Caller[];
  sql: pg.Client;
  servers: Server[];
  /** PostgreSQL's CPU seconds so far, for all sites. */
  postgres(): number;
  /** Restores the initial approvals of all servers. */
  refill(): Promise<void>;
  /** Closes the connections to the databases. */
  end(): Promise<unknown>;
};

/** The service's resident memory in MiB, before the first request and now. */
export type Memory = { site: string; rest: number; now: number }[];

/** A PostgreSQL server with durable settings. */
export type Stage = {
  /** @param size the total number of approvals; each caller has at least a hundred */
  site(size: number, tokens: number): Promise<Site>;
  memory(): Memory;
  close(): Promise<void>;
};

export const secret = "only-for-the-bench-0123456789abcdef0123456789abcdef";
const maxCallers = 64;

/**
 * @param against the folder of another checkout of the service
 * @param settings PostgreSQL settings in addition to those of `npm start`
 */
export async function openStage(against?: string, settings: string[] = []): Promise<Stage> {
  // Durable settings make the result include disk writes.
  const { url, instance, end: endPostgres } = await throwawayPostgres(settings);
  const postmaster = Number(readFileSync(join(instance.data, "postmaster.pid"), "utf8").split("\n")[0]);
  const probes = await processProbes();
  const { callers, pepper, template } = await prepare(url);
  const sites = new Map<string, Site>();
  const atRest: { site: string; child: ChildProcess; rest: number }[] = [];

  const open = async (name: string, size: number, tokens: number): Promise<Site> => {
    await query(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
    const address = inDatabase(url, name);
    const sql = await connected(address);
    const mine = callers.slice(0, tokens);
    const tables = serviceTables(sql, mine, size);
    const leanName = `lean_${name}`;
    await query(url, `CREATE DATABASE ${leanName}`);
    const leanAddress = inDatabase(url, leanName);
    await query(leanAddress, schema);
    const leanSql = await connected(leanAddress);
    const lean = await leanTables(leanSql, mine, size);
    await tables.fill();
    await lean.fill();
    const ours = await startOurs(address, probes.preload);
    const peer = await startPeer("bench/fastify.ts", [address, pepper], probes.preload);
    const leanPeer = await startPeer("bench/lean/server.ts", [leanAddress], probes.preload);
    const before = against && (await startOurs(address, probes.preload, against));
    const started = [
      serverOf("Countersign", ours, probes, tables),
      serverOf("Fastify + pg", peer, probes, tables),
      serverOf("lean", leanPeer, probes, lean),
      ...(before ? [serverOf(basename(against), before, probes, tables)] : []),
    ];
    atRest.push({
      site: `${size} approvals, tokens: ${tokens}`,
      child: ours.child,
      rest: await residentAtRest(ours.child),
    });
    const refill = async () => {
      await tables.fill();
      await lean.fill();
    };
    const end = () => Promise.all([sql.end(), leanSql.end()]);
    return { size, callers: mine, sql, servers: started, refill, postgres: () => cpuSeconds(postmaster), end };
  };

  return {
    site: async (size, tokens) => {
      const name = `bench_${size}_${tokens}`;
      const site = sites.get(name) ?? (await open(name, size, Math.min(tokens, maxCallers)));
      sites.set(name, site);
      return site;
    },
    memory: () => atRest.map(({ site, child, rest }) => ({ site, rest, now: resident(child) })),
    close: async () => {
      await Promise.all([...sites.values()].map((site) => site.end()));
      await Promise.all(children.map(end));
      probes.close();
      await endPostgres();
    },
  };
}

/** A template database with all callers. */
async function prepare(url: string) {
  const template = "bench";
  await query(url, `CREATE DATABASE ${template}`);
  const address = inDatabase(url, template);
  await migrate(address);
  Object.assign(process.env, { DATABASE_URL: address, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
  resetEnv();
  const callers: Caller[] = [];
  for (let at = 0; at < maxCallers; at++) {
    const { token, owner, clientId } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
    callers.push({ token, ownerId: owner.ownerId, appId: clientId });
  }
  const pepper = key("token-pepper").toString("hex");
  await closePubsub();
  await closeDb();
  // Otherwise autovacuum would run later, during a round.
  await query(address, "VACUUM ANALYZE");
  return { callers, pepper, template };
}

async function connected(address: string): Promise<pg.Client> {
  const sql = new pg.Client({ connectionString: address });
  // After a failure, PostgreSQL stops first.
  sql.on("error", () => {});
  await sql.connect();
  return sql;
}

type Started = { child: ChildProcess; port: number };
/** All servers that were launched, even if startup failed. */
const children: ChildProcess[] = [];

const serverOf = (name: string, { child, port }: Started, probes: ProcessProbes, tables: Tables): Server => ({
  name,
  port,
  tables,
  cpu: () => cpuSeconds(child.pid as number),
  delay: () => probes.delay(child.pid as number),
  profile: (work) => probes.profile(child.pid as number, work),
});

/**
 * The service as `npm start` runs it, with limits that no case reaches. @param preload a module to
 * load first @param folder another checkout
 */
export async function startOurs(url: string, preload: string[] = [], folder = "."): Promise<Started> {
  const port = await freePort();
  const child = spawn(process.execPath, [...flags(folder), ...preload, ...startScript(folder, /\S+\.mjs/)], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      SECRET: secret,
      RATE_LIMIT: "1000000",
      RATE_BURST: "10000000",
      // The per-app limit on pending approvals would count thousands of rows for each question, so
      // the limits keep the tables small.
      MAX_PENDING: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (text) => String(text).includes("Countersign is at") && resolve());
    child.once("exit", (code) => reject(new Error(`the service did not start (${code})`)));
  });
  return { child, port };
}

/** The V8 flags of `npm start`, which the baseline also uses. */
const flags = (folder: string): string[] => startScript(folder, /--\S+/g);

/** Returns the parts of a checkout's `npm start` command that match. */
const startScript = (folder: string, part: RegExp): string[] =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).scripts.start.match(part) ?? [];

async function startPeer(file: string, given: string[], preload: string[]): Promise<Started> {
  const child = fork(file, given, {
    execArgv: [...flags("."), ...preload, "--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  children.push(child);
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", (code) => reject(new Error(`the peer did not start (${code})`)));
  });
  return { child, port };
}

export const end = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
