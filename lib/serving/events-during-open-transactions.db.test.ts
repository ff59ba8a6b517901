import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { startChores } from "@/lib/cli/background-chores";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { startFront } from "@/lib/testing/api-server";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { settled } from "@/lib/testing/await-event-horizon";
import { inDatabase } from "@/lib/testing/temporary-postgres";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { startWebhooks } from "@/lib/webhooks/dispatcher";

const { ask, port } = await startFront();
const receiver = await aReceiver();
const url = process.env.DATABASE_URL as string;
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(() => receiver.close());

test("delivers events through reads, streams and webhooks while other transactions are open", async () => {
  sendingTo([receiver.origin]);
  const hooked = await aHookedApp(`${receiver.origin}/told`);
  stops.push(onEachShard(startChores), onEachShard(startWebhooks));
  await settled();
  const { nextCursor: before } = (await ask("GET", "/api/events", { token: hooked.token })).body as {
    nextCursor: string;
  };
  for (const where of [url, inDatabase(url, "postgres")]) {
    const client = new pg.Client({ connectionString: where });
    await client.connect();
    stops.push(() => client.end());
    await client.query("BEGIN");
    await client.query("SELECT pg_current_xact_id()");
  }
  const leaving = new AbortController();
  stops.push(() => leaving.abort());
  const stream = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization: `Bearer ${hooked.token}`, accept: "text/event-stream" },
    signal: leaving.signal,
  });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let [streamed, cursor] = ["", before];
  for (let nth = 0; nth < 2; nth++) {
    const id = await hooked.ask();
    const read = await ask("GET", `/api/events?wait=20&after=${cursor}`, { token: hooked.token });
    const { data, nextCursor } = read.body as { data: { data: { id: string } }[]; nextCursor: string };
    expect(data.map(({ data }) => data.id)).toEqual([id]);
    cursor = nextCursor;
    while (!streamed.includes(id)) streamed += Buffer.from((await reader.read()).value ?? []).toString();
    await expect.poll(() => receiver.at("/told").filter(({ body }) => body.includes(id))).toHaveLength(1);
  }
});
