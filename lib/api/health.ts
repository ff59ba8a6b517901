import { pool } from "@/lib/database/db";
import { databaseLimits } from "@/lib/net/database-limits";
import type { OperationResponse } from "./call";

/** What a copy knows of itself: whether it is about to end, and whether it has ever been ready. */
export type Readiness = { draining: boolean; wasReady: boolean };

/** Whether the process answers at all. Asks nothing of the database. */
export const alive = (): OperationResponse => ({ status: 200, headers: {}, body: '{"status":"ok"}' });

/**
 * Whether requests should be sent to this copy: once the database has answered, until it drains. While the database is away
 * it is away for every copy, and each says so better than a balancer that has none left: 503 in JSON with Retry-After.
 */
export async function ready(standing: Readiness): Promise<OperationResponse> {
  if (standing.wasReady && !standing.draining) return alive();
  const reply = await healthy(standing.draining);
  if (reply.status === 200) standing.wasReady = true;
  return reply;
}

/** Whether requests would be answered now: not while it drains, nor while the database does not answer within a second. */
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
