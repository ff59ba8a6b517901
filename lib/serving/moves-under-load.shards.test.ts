import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disconnect } from "@/lib/database/db";
import { homeOf } from "@/lib/database/shards/homes";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anAppWith } from "@/lib/testing/factories";
import { obeyed } from "@/lib/testing/operator-command";
import { type Service, startService } from "@/lib/testing/service-process";
import { type ShardServers, shardServers } from "@/lib/testing/shards/shard-servers";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";

/*
 * Two instances with a directory and two shards. Homes move between the shards twenty times, while
 * apps ask, answer and read, and one app of a moving owner also receives webhooks.
 */

const SECRET = "a-secret-for-moves-0123456789abcdef0123456789";
const DATA_DIR = newDataDir(0o700);
const owners = 6;
let servers: ShardServers;
let services: Service[] = [];
let environment: Record<string, string>;
const receiver = await aReceiver();
type Caller = { token: string; home: number; asked: string[]; statuses: Record<string, number>; longestMs: number };
const callers: Caller[] = [];

beforeAll(async () => {
  servers = await shardServers();
  const ALLOW_PRIVATE_FETCH = receiver.origin;
  await servers.connect({ SECRET, ALLOW_PRIVATE_FETCH });
  for (let nth = 0; nth < owners; nth++) {
    const { owner, clientId, token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
    if (nth === 0)
      await addEndpoint(owner, clientId, { url: `${receiver.origin}/resolved`, types: ["approval.resolved"] });
    callers.push({ token, home: homeOf(owner.ownerId), asked: [], statuses: {}, longestMs: 0 });
  }
  await disconnect();
  environment = { ...servers.settings, SECRET, ALLOW_PRIVATE_FETCH, DATA_DIR };
  const start = () => startService({ ...environment, DATABASE_POOL: "5" });
  services = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await servers?.end();
  receiver.close();
  removeDataDir(DATA_DIR);
});

type Reply = { id?: string; data?: { id: string; type: string; data: { id?: string } }[]; nextCursor?: string };

async function call(caller: Caller, nth: number, path: string, body?: object): Promise<Reply> {
  const { url } = services[nth % services.length] as Service;
  const began = performance.now();
  const reply = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${caller.token}`, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  caller.longestMs = Math.max(caller.longestMs, performance.now() - began);
  const text = await reply.text();
  const outcome = reply.ok ? "ok" : `${reply.status} ${text}`;
  caller.statuses[outcome] = (caller.statuses[outcome] ?? 0) + 1;
  return text ? (JSON.parse(text) as Reply) : {};
}

/** Asks, answers and reads for an owner until stopped. */
async function ask(caller: Caller, isStopped: () => boolean): Promise<void> {
  for (let nth = 0; !isStopped(); nth++) {
    const { id } = await call(caller, nth, "/api/approvals", {
      question: `Ship ${nth}?`,
      options: [
        { id: "yes", label: "Yes" },
        { id: "no", label: "No" },
      ],
    });
    if (id === undefined) continue;
    caller.asked.push(id);
    await call(caller, nth + 1, `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
    // Requests without pauses would use the whole CPU, and the moves would take three times as long.
    await sleep(150);
  }
}

/** Returns the questions of a caller in the order of the events of a type. */
async function eventsOf(caller: Caller, type: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await call(caller, 0, `/api/events?limit=100${cursor && `&after=${cursor}`}`);
    found.push(...(page.data ?? []).filter((event) => event.type === type).map(({ data }) => data.id ?? ""));
    if (!page.nextCursor || page.nextCursor === cursor || page.data?.length === 0) return found;
    cursor = page.nextCursor;
  }
}

test("moves homes twenty times without losing, repeating or reordering anything", async () => {
  let stopped = false;
  const load = Promise.all(callers.map((caller) => ask(caller, () => stopped)));
  await sleep(1000);
  const homes = [...new Set(callers.map(({ home }) => home))].slice(0, 3).join();
  for (let move = 0; move < 20; move++) {
    const to = move % 2 === 0 ? "two" : "one";
    const { status, err } = await obeyed(environment, ["shards", "move", homes, "--to", to]);
    expect(status, err).toBe(0);
  }
  stopped = true;
  await load;
  const errors = services.flatMap((service) =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes('"error"')),
  );
  for (const caller of callers) {
    expect(Object.keys(caller.statuses), errors.slice(0, 5).join("\n")).toEqual(["ok"]);
    expect(caller.asked.length).toBeGreaterThan(50);
    for (const type of ["approval.submitted", "approval.resolved"])
      await expect.poll(() => eventsOf(caller, type), { interval: 1000 }).toEqual(caller.asked);
  }
  const sent = () => receiver.at("/resolved").map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  const [hooked] = callers as [Caller];
  await expect.poll(() => sent().sort(), { interval: 1000 }).toEqual([...hooked.asked].sort());
  const longest = callers.map(({ longestMs }) => Math.round(longestMs));
  console.info(`Longest request of each owner: ${longest.join(", ")} ms`);
});
