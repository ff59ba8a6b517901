import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { sql } from "@/lib/database/sql";

/**
 * Rows to delete after they expire. A used code is kept until its access tokens have expired,
 * because reusing the code revokes them. Refresh tokens are found without the code
 * (`tokenFamilyId`). A decided request is kept for a while so that its page can show the outcome.
 */
export const expiryRules: readonly ExpiryRule[] = [
  { table: "authorization_code", when: sql`expires_at < now() - interval '2 hours'` },
  { table: "refresh_token", when: sql`expires_at < now() - interval '1 day'` },
  { table: "pushed_request", when: sql`expires_at < now() - interval '1 hour'` },
  { table: "consent_request", when: sql`expires_at < now() - interval '1 hour'` },
  { table: "device_code", when: sql`expires_at < now() - interval '1 hour'` },
];
