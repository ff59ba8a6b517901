import { pool } from "@/lib/database/db";
import { databaseLimits } from "@/lib/net/database-limits";
import type { OperationResponse } from "./call";

/**
 * What an instance knows about itself: whether it is shutting down, and whether it was ever ready.
 */
export type Readiness = { draining: boolean; wasReady: boolean };

/** Whether the process responds at all. Does not touch the database. */
export const alive = (): OperationResponse => ({ status: 200, headers: {}, body: '{"status":"ok"}' });

/**
 * Whether requests should be sent to this instance: once the database has responded, until it
 * drains. An outage of the database hits every instance, and each reports it (503 in JSON with
 * Retry-After) better than a load balancer with no instance left.
 */
export async function ready(standing: Readiness): Promise<OperationResponse> {
  if (standing.wasReady && !standing.draining) return alive();
  const reply = await healthy(standing.draining);
  if (reply.status === 200) standing.wasReady = true;
  return reply;
}

/**
 * Whether requests would succeed now: not while draining, nor while the database takes more than a
 * second.
 */
export async function healthy(draining: boolean): Promise<OperationResponse> {
  const headers = { "retry-after": "1" };
  if (draining) return { status: 503, headers, body: '{"error":"Shutting down"}' };
  const late = new Promise<false>((resolve) => setTimeout(resolve, databaseLimits().health, false).unref());
  const answered = pool()
    .query("SELECT 1")
    .then(
      () => true,
      () => false,
    );
  if (await Promise.race([answered, late])) return alive();
  return { status: 503, headers, body: '{"error":"Service unavailable"}' };
}
