import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { pushNotification } from "@/lib/notifications/notifications";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { eventId } from "./event-id";

const { ask } = await startFront();
const { owner, app, token } = await anAppWith("notifications:write", "notifications:read");
const push = (title: string) => pushNotification({ ...app, needs: "notifications:write" }, { title } as never);
await push("before the dump");
const read = (after: string, headers = {}) => ask("GET", `/api/events?after=${after}`, { token, headers });
/** Returns the last event of the owner. */
async function last({ ownerId } = owner) {
  const ofOwner = "SELECT tx::text, id::text FROM event WHERE owner_id = $1 ORDER BY id DESC LIMIT 1";
  const { rows } = await pool().query(ofOwner, [ownerId]);
  return { tx: BigInt(rows[0].tx), id: BigInt(rows[0].id) };
}
const at = (tx: bigint, id: bigint) => eventId({ tx: String(tx), id: String(id) });
const says = (name: string) =>
  `The service was restored from a backup older than this event. Read again without ${name}. Some events may repeat.`;

test("returns 410 for a cursor created after the backup", async () => {
  const { tx, id } = await last();
  const reply = await read(at(tx + 5n, id + 5n));
  expect([reply.status, reply.body]).toEqual([410, { error: says("after") }]);
});

test("returns 410 for a cursor whose event number was reused after the restore", async () => {
  const { tx, id } = await last();
  expect((await read(at(tx + 7n, id))).body).toEqual({ error: says("after") });
});

test("returns 410 for a stream cursor created after the backup", async () => {
  const { tx, id } = await last();
  const headers = { accept: "text/event-stream", "last-event-id": at(tx + 5n, id + 5n) };
  const reply = await ask("GET", "/api/events", { token, headers });
  expect([reply.status, reply.body]).toEqual([410, { error: says("Last-Event-ID") }]);
});

test("returns 400 for another app's event ID or a forged event ID", async () => {
  const other = await anAppWith("notifications:write");
  const pushTheirs = () =>
    pushNotification({ ...other.app, needs: "notifications:write" }, { title: "theirs" } as never);
  await pushTheirs();
  // Each shard numbers its events from 1. The first event could have the number of this owner's event.
  await pushTheirs();
  const { tx, id } = await last(other.owner);
  for (const after of [at(tx, id), at(2n ** 60n, 2n ** 60n), `evt_${"0".repeat(26)}`]) {
    const { status, body } = await read(after);
    // The owner's shard cannot know events of another shard, or whether they have expired.
    if (hasSeveralShards() && after === at(tx, id)) expect([400, 410]).toContain(status);
    else expect([status, body]).toMatchObject([400, { details: [{ path: "after" }] }]);
  }
});

test("returns 400 instead of 410 for a cursor to an archived event", async () => {
  const { tx, id } = await last();
  await pool().query("UPDATE retention SET archived_upto = $1", [String(id + 10n)]);
  expect((await read(at(tx + 5n, id + 5n))).status).toBe(400);
  await pool().query("UPDATE retention SET archived_upto = 0");
});
