import type { ClientBase } from "pg";
import type { AppActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { changeWithClient } from "@/lib/events/change-transaction";

/**
 * Runs an app's work in one transaction, under a lock that all instances respect. The app's other
 * statements join the transaction through `app.via`. Listeners are notified after the commit. A
 * nested call joins the outer transaction.
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
  return changeWithClient(app.tokenHash, async (via) => {
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
