import { expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { pool } from "@/lib/database/db";
import { listEvents } from "@/lib/event-feed/event-feed";
import { pushNotification } from "@/lib/notifications/notifications";
import { migrate } from "@/lib/postgres/migrations";
import { anAppWith } from "@/lib/testing/factories";
import { neverDisconnects } from "@/lib/wait-param";

test("keeps events in order after a restore from a dump", async () => {
  const { app, owner, clientId } = await anAppWith("notifications:write", "notifications:read");
  const push = (title: string) => pushNotification({ ...app, needs: "notifications:write" }, { title } as never);
  const read = async (after?: string) => {
    const { text } = await listEvents(app, { ...(after && { after }), wait: 10 }, neverDisconnects);
    return JSON.parse(text) as { data: { data: { title: string } }[]; nextCursor: string };
  };
  await push("before");
  // Creates events as in a dump from a server with more transactions.
  const far = (10n ** 12n).toString();
  await pool().query(
    `INSERT INTO event (owner_id, app_id, type, subject, tx)
     SELECT $1, $2, 'notification.pushed', id, $3::xid8 FROM notification WHERE owner_id = $1`,
    [owner.ownerId, clientId, far],
  );
  const { rows } = await pool().query("SELECT 1 FROM event WHERE tx < event_horizon() AND tx = $1::xid8", [far]);
  expect(rows).toEqual([]);

  expect(await migrate(env().databaseUrl)).toEqual([]);
  const all = await read();
  expect(all.data.at(-1)?.data.title).toBe("before");
  await push("after");
  // Another test's transaction may delay events for longer than one read waits.
  await expect.poll(async () => (await read(all.nextCursor)).data.map(({ data }) => data.title)).toEqual(["after"]);

  // Another migration adds no second offset, because no later dump was restored.
  const source = async () => (await pool().query("SELECT event_offset()::text AS offset")).rows[0].offset;
  const before = await source();
  await migrate(env().databaseUrl);
  expect(await source()).toBe(before);
  expect(before).toContain(String(BigInt(far) + 1n));
});
