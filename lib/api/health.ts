import { clock } from "@/lib/clock";
import { databaseTimeouts } from "@/lib/database/database-timeouts";
import { pool } from "@/lib/database/db";
import { shards } from "@/lib/database/shards/shard-map";
import type { OperationResponse } from "./operation-request";

/** The state of an instance: whether it is draining, and whether it was ever ready. */
export type Readiness = { draining: boolean; wasReady: boolean };

/** Returns 200, which shows that the process responds. Doesn't use the database. */
export const alive = (): OperationResponse => ({ status: 200, headers: {}, body: '{"status":"ok"}' });

/**
 * Returns 200 if load balancers should send requests to this instance, which is from the database's
 * first response until the instance drains. A later database outage doesn't count, because it
 * affects every instance, and their 503 responses say more than a load balancer's error.
 */
export async function ready(standing: Readiness): Promise<OperationResponse> {
  if (standing.wasReady && !standing.draining) return alive();
  const reply = await healthy(standing.draining);
  if (reply.status === 200) standing.wasReady = true;
  return reply;
}

/**
 * Returns 200 if the database responds within a second, which means that requests would succeed
 * now. Returns 503 otherwise, or while the instance drains. With several databases, one response is
 * enough, because a load balancer would otherwise turn away the owners of the others.
 */
export async function healthy(draining: boolean): Promise<OperationResponse> {
  const headers = { "retry-after": "1" };
  if (draining) return { status: 503, headers, body: '{"error":"Shutting down"}' };
  const all = shards().map(async ({ number }) => (await responds(number)) || Promise.reject());
  const isUp = await Promise.any(all).catch(() => false);
  return isUp ? alive() : { status: 503, headers, body: '{"error":"Service unavailable"}' };
}

/** Whether a shard's database responds within a second. */
export async function responds(shard: number): Promise<boolean> {
  const late = new Promise<false>((resolve) =>
    clock.setTimeout(() => resolve(false), databaseTimeouts().health).unref(),
  );
  const answered = async () => {
    try {
      await pool(shard).query("SELECT 1");
      return true;
    } catch {
      return false;
    }
  };
  return Promise.race([answered(), late]);
}
