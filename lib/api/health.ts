import { pool } from "@/lib/db";
import type { Reply } from "./call";

/** Whether the process answers at all. Asks nothing of the database. */
export const alive = (): Reply => ({ status: 200, headers: {}, body: '{"status":"ok"}' });

/** Whether this copy should get traffic: not while it drains, nor while the database does not answer within a second. */
export async function ready(draining: boolean): Promise<Reply> {
  const headers = { "retry-after": "1" };
  if (draining) return { status: 503, headers, body: '{"error":"Shutting down"}' };
  const late = new Promise<false>((resolve) => setTimeout(resolve, 1000, false).unref());
  const answered = pool()
    .query("SELECT 1")
    .then(
      () => true,
      () => false,
    );
  if (await Promise.race([answered, late])) return alive();
  return { status: 503, headers, body: '{"error":"Service unavailable"}' };
}
