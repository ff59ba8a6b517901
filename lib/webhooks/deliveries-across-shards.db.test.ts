import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disconnect } from "@/lib/database/db";
import { setShards } from "@/lib/database/shards/shard-map";
import { newId } from "@/lib/ids";
import { anApp, anOwner } from "@/lib/testing/factories";
import { ownDatabase } from "@/lib/testing/own-database";
import { listDeliveries } from "./deliveries";
import { addEndpoint } from "./endpoints";

/* The homes from 512 are in a second database. */

const second = await ownDatabase();
const [first, other] = [process.env.DATABASE_URL, second.url].map(
  (url) => new pg.Client({ connectionString: url }),
) as [pg.Client, pg.Client];

beforeAll(() => Promise.all([first.connect(), other.connect()]));
afterAll(async () => {
  await disconnect();
  setShards();
  await Promise.all([first.end(), other.end()]);
  await second.end();
});

test("lists the deliveries of both databases in pages, latest first", async () => {
  const owner = await anOwner();
  const { clientId } = await anApp(owner);
  const { id: endpointId } = await addEndpoint(owner, clientId, {
    url: "https://example.com/hook",
    description: "",
    types: [],
  });
  await other.query("SET session_replication_role = replica");
  const ids: string[] = [];
  for (let at = 0; at < 70; at++) {
    const id = newId("whd");
    ids.push(id);
    await [first, other][at % 2]!.query(
      "INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body) VALUES ($1, $2, $3, $1, 't', '')",
      [id, endpointId, owner.ownerId],
    );
  }
  await disconnect();
  setShards([
    { name: "main", homes: [0, 511] },
    { name: "two", homes: [512, 1023], url: second.url },
  ]);
  const listed: string[] = [];
  let before: string | undefined;
  do {
    const { items, next } = await listDeliveries(owner, endpointId, before === undefined ? {} : { before });
    listed.push(...items.map(({ id }) => id));
    before = next;
  } while (before !== undefined);
  expect(listed).toEqual(ids.sort().reverse());
});
