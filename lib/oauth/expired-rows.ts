import { sql } from "@/lib/database/sql";
import type { ExpiryRule } from "@/lib/database/sweeper";

/**
 * What is kept no longer. A used code stays until access tokens issued from it have expired, since using it again ends these;
 * refresh tokens are found without it (`tokenFamilyId`). A decided request stays a while to say so.
 */
export const expiredRows: readonly ExpiryRule[] = [
  { table: "authorization_code", when: sql`expires_at < now() - interval '2 hours'` },
  { table: "refresh_token", when: sql`expires_at < now() - interval '1 day'` },
  { table: "pushed_request", when: sql`expires_at < now() - interval '1 hour'` },
  { table: "consent_request", when: sql`expires_at < now() - interval '1 hour'` },
  { table: "device_code", when: sql`expires_at < now() - interval '1 hour'` },
];
