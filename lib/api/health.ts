import { databaseTimeouts } from "@/lib/database/database-timeouts";
import { pool } from "@/lib/database/db";
import type { OperationResponse } from "./operation-request";

/** An instance's own state: whether it is draining, and whether it was ever ready. */
export type Readiness = { draining: boolean; wasReady: boolean };

/** Returns 200, which proves that the process responds. Does not use the database. */
export const alive = (): OperationResponse => ({ status: 200, headers: {}, body: '{"status":"ok"}' });

/**
 * Returns 200 if load balancers should send requests to this instance: from the database's first
 * response until the instance drains. A later outage of the database does not count, because it
 * affects every instance, and their 503 says more than a load balancer's error.
 */
export async function ready(standing: Readiness): Promise<OperationResponse> {
  if (standing.wasReady && !standing.draining) return alive();
  const reply = await healthy(standing.draining);
  if (reply.status === 200) standing.wasReady = true;
  return reply;
}

/**
 * Returns 200 if the database responds within a second, so that requests would succeed now. Returns
 * 503 otherwise, and while the instance drains.
 */
export async function healthy(draining: boolean): Promise<OperationResponse> {
  const headers = { "retry-after": "1" };
  if (draining) return { status: 503, headers, body: '{"error":"Shutting down"}' };
  const late = new Promise<false>((resolve) => setTimeout(resolve, databaseTimeouts().health, false).unref());
  const answered = pool()
    .query("SELECT 1")
    .then(
      () => true,
      () => false,
    );
  if (await Promise.race([answered, late])) return alive();
  return { status: 503, headers, body: '{"error":"Service unavailable"}' };
}
