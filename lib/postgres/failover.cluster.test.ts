import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { migrate } from "@/lib/postgres/migrations";
import { type Background, background, listening, pause, until } from "@/lib/testing/cluster/background-process";
import { asShipped } from "@/lib/testing/cluster/documented-config";
import { type Caller, callerOf } from "@/lib/testing/cluster/http-caller";
import { type Balancer, balancers } from "@/lib/testing/cluster/load-balancers";
import { missingForPatroni, type Patroni, startPatroni } from "@/lib/testing/cluster/patroni-cluster";
import { type Copies, someApps, threeCopies } from "@/lib/testing/cluster/three-instances";
import { keepLedger } from "@/lib/testing/cluster/write-ledger";
import { findPgBouncer } from "@/lib/testing/pgbouncer";
import { query } from "@/lib/testing/temporary-postgres";
import { serverAccount } from "./os-user";

// Runs three instances behind HAProxy, with PgBouncer and a Patroni cluster of three servers, and
// causes failures under load.
const missing = missingForPatroni();
const pooler = findPgBouncer();
let patroni: Patroni;
let bouncer: Background | undefined;
let copies: Copies;
let balancer: Balancer;
let caller: Caller;
let token: string;
let folder: string;

beforeAll(async () => {
  if (missing.length > 0) return;
  folder = mkdtempSync(join(tmpdir(), "countersign-failover-"));
  patroni = await startPatroni();
  const admin = patroni.address();
  await until(
    () =>
      query(admin, "SELECT 1").then(
        () => true,
        () => false,
      ),
    () => "the primary does not answer",
  );
  await query(admin, `CREATE ROLE countersign LOGIN PASSWORD '${patroni.password}'`);
  await query(admin, "CREATE DATABASE countersign OWNER countersign");
  for (const limit of ["statement_timeout = '2s'", "idle_in_transaction_session_timeout = '10s'"])
    await query(admin, `ALTER ROLE countersign SET ${limit}`);
  const direct = patroni.address("countersign", "countersign");
  await migrate(direct);
  const scopes = [
    "approvals:write",
    "approvals:read",
    "approvals:resolve",
    "notifications:write",
    "notifications:read",
  ] as const;
  token = (await someApps(direct, 1, [...scopes])).apps[0]?.token as string;
  const port = await freePort();
  copies = await threeCopies({
    PUBLIC_URL: `https://localhost:${port}`,
    DRAIN_DELAY: "5",
    ...(pooler
      ? { DATABASE_URL: await startPooler(pooler), DATABASE_DIRECT_URL: patroni.list("countersign", "countersign") }
      : { DATABASE_URL: patroni.list("countersign", "countersign") }),
  });
  balancer = await balancers.HAProxy(copies.ports, port);
  caller = callerOf(balancer);
  await until(async () => (await caller.call("GET", "/livez")).status === 200, balancer.output);
});

afterAll(async () => {
  caller?.close();
  await balancer?.stop();
  await copies?.end();
  await bouncer?.kill("SIGKILL");
  await patroni?.end();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Starts PgBouncer in front of the primary, configured by docs/operations/pgbouncer.ini. */
async function startPooler(program: string): Promise<string> {
  const port = await freePort();
  const users = join(folder, "userlist.txt");
  writeFileSync(users, `"countersign" "${patroni.password}"\n`);
  const file = join(folder, "pgbouncer.ini");
  const configuration = asShipped("pgbouncer.ini", {
    "port=5432": `port=${patroni.proxyPort}`,
    "listen_port = 6432": `listen_port = ${port}\nunix_socket_dir =`,
    "/etc/pgbouncer/userlist.txt": users,
  });
  writeFileSync(file, configuration);
  const account = serverAccount();
  chmodSync(folder, 0o755);
  if (account) for (const each of [users, file]) chownSync(each, account.uid, account.gid);
  bouncer = background(program, ["-q", file], { account });
  await listening(bouncer, port);
  return `postgresql://countersign:${patroni.password}@127.0.0.1:${port}/countersign`;
}

const rounds: [string, () => Promise<(() => Promise<unknown>) | undefined>, { gap: boolean; seconds: number }][] = [
  ["a switchover is planned", async () => void (await patroni.switchover()), { gap: true, seconds: 10 }],
  ["the primary and its agent are killed", () => patroni.killPrimary(), { gap: true, seconds: 25 }],
  ["the primary and its agent are frozen", () => patroni.freezePrimary(), { gap: true, seconds: 30 }],
  ["etcd is down for 25 seconds", () => patroni.stopEtcd(), { gap: false, seconds: 25 }],
  [
    "an instance is killed",
    async () => {
      copies.copies[1]?.child.kill("SIGKILL");
      await copies.copies[1]?.ended;
      return () => copies.again(1);
    },
    { gap: false, seconds: 8 },
  ],
];

test.for(rounds)(
  "records every acknowledged write exactly once when %s",
  async ([name, happen, { gap, seconds }], { skip }) => {
    skip(missing.length > 0, `needs ${missing.join(", ")}`);
    await patroni.whole();
    const kept = await keepLedger(caller, token).begin();
    await until(
      () => kept.count() > 100,
      () => `${kept.count()} written`,
    );
    const undo = await happen();
    await pause(seconds * 1000);
    await undo?.();
    const before = kept.count();
    await until(
      () => kept.count() > before + 100,
      () => `${kept.count() - before} written since`,
    );
    const ledger = await kept.end(patroni.address("countersign", "countersign"));
    process.stderr.write(`${name}${pooler ? ", through PgBouncer" : ""}: ${JSON.stringify(ledger)}\n`);
    expect(ledger).toMatchObject({
      ...{ lost: [], twice: [] },
      events: { missing: 0, twice: 0 },
      streamed: { missing: 0, twice: 0 },
      waits: { answered: 10 },
      withoutRetryAfter: 0,
    });
    expect(ledger.failures[500]).toBeUndefined();
    // The service must be available whenever the database is.
    if (!gap) expect(ledger.failures).toEqual({});
    await patroni.whole();
  },
);
