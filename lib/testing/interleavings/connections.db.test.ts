import pg from "pg";
import { expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { busyConnections, findLockWaits, watchConnections } from "./connections";

async function aClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env().databaseUrl });
  await client.connect();
  return client;
}

const processId = (client: pg.Client) => (client as pg.Client & { processID: number }).processID;

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
    // A signal wakes the statement, and PostgreSQL sends the notice again. Another file's DROP
    // DATABASE does the same.
    await holder.query("SELECT pg_log_backend_memory_contexts($1)", [processId(waiting)]);
    await expect.poll(() => notices).toBeGreaterThan(1);
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
