import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disconnect } from "@/lib/database/db";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anAppWith } from "@/lib/testing/factories";
import { type Service, startService } from "@/lib/testing/service-process";
import { kill, restart, type ShardServers, shardServers } from "@/lib/testing/shards/shard-servers";

/*
 * Two instances with a directory and two shards, each on a separate PostgreSQL server. Apps of six
 * owners ask and read all the time, while one server is away.
 */

const SECRET = "a-secret-for-shards-0123456789abcdef0123456789";
const DATA_DIR = newDataDir(0o700);
let servers: ShardServers;
let services: Service[] = [];
type Caller = { shard: number; token: string };
const callers: Caller[] = [];

beforeAll(async () => {
  servers = await shardServers();
  await servers.connect({ SECRET });
  while ([1, 2].some((shard) => callers.filter((one) => one.shard === shard).length < 3)) {
    const { owner, token } = await anAppWith("approvals:write", "approvals:read");
    const shard = shardOfOwner(owner.ownerId);
    if (callers.filter((one) => one.shard === shard).length < 3) callers.push({ shard, token });
  }
  await disconnect();
  const start = () => startService({ ...servers.settings, SECRET, DATA_DIR, DATABASE_POOL: "5" });
  services = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await servers?.end();
  removeDataDir(DATA_DIR);
});

/** What the apps of one shard's owners experienced. */
type Outcome = { asked: string[]; statuses: Record<number, number> };

/** Asks and reads for each owner until stopped. */
function startLoad() {
  const outcomes = new Map([1, 2].map((shard): [number, Outcome] => [shard, { asked: [], statuses: {} }]));
  let stopped = false;
  const running = callers.map(async ({ shard, token }, index) => {
    const outcome = outcomes.get(shard)!;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (let nth = 0; !stopped; nth++) {
      const { url } = services[(index + nth) % services.length] as Service;
      const body = JSON.stringify({
        question: `Ship ${nth}?`,
        options: [
          { id: "yes", label: "Yes" },
          { id: "no", label: "No" },
        ],
      });
      const call = (path: string, init: RequestInit = {}) =>
        fetch(`${url}${path}`, { headers, ...init }).then(async (reply) => {
          outcome.statuses[reply.status] = (outcome.statuses[reply.status] ?? 0) + 1;
          return { status: reply.status, body: (await reply.json()) as { id?: string } };
        });
      const asked = await call("/api/approvals", { method: "POST", body });
      if (asked.body.id) {
        outcome.asked.push(asked.body.id);
        await call(`/api/approvals/${asked.body.id}`);
      }
      await call("/api/approvals?limit=5");
      // Few enough questions for the limit of pending questions.
      await sleep(250);
    }
  });
  return {
    of: (shard: number) => outcomes.get(shard)!,
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** Returns the number of failed requests. */
const failed = ({ statuses }: Outcome) =>
  Object.entries(statuses).reduce((sum, [status, count]) => sum + (Number(status) >= 400 ? count : 0), 0);

/** Returns the acknowledged questions that a shard does not have. */
async function lost(shard: number, { asked }: Outcome): Promise<string[]> {
  const missing: string[] = [];
  const tokens = callers.filter((one) => one.shard === shard).map(({ token }) => token);
  for (const id of asked) {
    const replies = await Promise.all(
      tokens.map((token) =>
        fetch(`${services[0]?.url}/api/approvals/${id}`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    );
    if (!replies.some(({ status }) => status === 200)) missing.push(id);
  }
  return missing;
}

test("stops only the owners of a shard that dies, and loses none of their questions", async () => {
  const load = startLoad();
  await sleep(3000);
  kill(servers.shards[1]);
  await sleep(20_000);
  expect(failed(load.of(1)), "failed requests of the other shard's owners").toBe(0);
  expect(load.of(2).statuses[503]).toBeGreaterThan(0);
  await restart(servers.shards[1]);
  const before = load.of(2).asked.length;
  await expect.poll(() => load.of(2).asked.length).toBeGreaterThan(before + 10);
  await load.stop();
  expect(failed(load.of(1))).toBe(0);
  expect(await lost(1, load.of(1))).toEqual([]);
  expect(await lost(2, load.of(2))).toEqual([]);
});

test("serves known owners and apps while the directory is away for a minute", async () => {
  const load = startLoad();
  await sleep(2000);
  kill(servers.directory);
  await sleep(60_000);
  await restart(servers.directory);
  await sleep(3000);
  await load.stop();
  for (const shard of [1, 2]) {
    expect(failed(load.of(shard)), `${JSON.stringify(load.of(shard).statuses)} on shard ${shard}`).toBe(0);
    expect(load.of(shard).asked.length).toBeGreaterThan(100);
  }
});
