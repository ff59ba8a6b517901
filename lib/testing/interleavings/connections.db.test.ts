import pg from "pg";
import { expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { busyConnections, findLockWaits, watchConnections } from "./connections";

async function aClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env().databaseUrl });
  await client.connect();
  return client;
}

test("learns from PostgreSQL which statements of a user wait for locks", async () => {
  const [holder, waiting] = [await aClient(), await aClient()];
  let notices = 0;
  const user = { noteStatement: () => {}, noteLockWait: () => void notices++ };
  let current: typeof user | undefined;
  const stop = watchConnections(env().databaseUrl, () => current);
  try {
    await holder.query("SELECT pg_advisory_lock(1)");
    expect(busyConnections(user)).toEqual([]);
    current = user;
    const locked = waiting.query("SELECT pg_advisory_lock(1)");
    current = undefined;
    expect(busyConnections(user)).toMatchObject([{ waits: false }]);
    // Nothing asks PostgreSQL, which sends a notice.
    await expect.poll(() => busyConnections(user)).toMatchObject([{ waits: true }]);
    expect(notices).toBe(1);
    await findLockWaits([user]);
    expect(busyConnections(user)).toMatchObject([{ waits: true }]);

    await holder.query("SELECT pg_advisory_unlock(1)");
    await findLockWaits([user]);
    expect(busyConnections(user).some(({ waits }) => waits)).toBe(false);
    await locked;
    await expect.poll(() => busyConnections(user)).toEqual([]);
  } finally {
    await stop();
    await Promise.all([holder.end(), waiting.end()]);
  }
});
