import type { ClientBase } from "pg";
import type { AppActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { announce } from "@/lib/events/hub";
import { onceMore } from "@/lib/once-more";
import { run, sql } from "@/lib/sql";

/**
 * Do an app's work in one transaction, alone among all that name the same lock, on every copy of the service. Its statements
 * (`act`) take part by themselves; who is to be told is told after the commit. Inside such a transaction it joins that one.
 */
export async function alone<T>(app: AppActor, lock: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  if (app.via) {
    await take(app.via.client, lock);
    return work(app.via.client);
  }
  return onceMore(() => begin(app, lock, work));
}

async function begin<T>(app: AppActor, lock: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  const via = { client, tell: new Set<string>() };
  app.via = via;
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    await take(client, lock);
    const done = await work(client);
    await client.query("COMMIT");
    for (const owner of via.tell) announce(owner);
    return done;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    delete app.via;
    client.release(broken);
  }
}

const take = (client: ClientBase, lock: string) =>
  run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`, client);
