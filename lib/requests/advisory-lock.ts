import type { ClientBase } from "pg";
import type { AppActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { changeWithClient } from "@/lib/events/change";

/**
 * Do an app's work in one transaction, alone among all that name the same lock, on every copy of the service. Its statements
 * (`act`) take part by themselves; who is to be told is told after the commit. Inside such a transaction it joins that one.
 */
export async function withAdvisoryLock<T>(
  app: AppActor,
  lock: string,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  if (app.via) {
    await take(app.via.client, lock);
    return work(app.via.client);
  }
  return changeWithClient(async (via) => {
    app.via = via;
    try {
      await take(via.client, lock);
      return await work(via.client);
    } finally {
      delete app.via;
    }
  });
}

const take = (client: ClientBase, lock: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.run(client);
