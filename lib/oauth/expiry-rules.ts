import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { sql } from "@/lib/database/sql";

/**
 * The rows to delete after they expire. A used code is kept as long as its access tokens, because a
 * second use of the code revokes them; refresh tokens are found without the code's row
 * (`tokenFamilyId`). A decided request is kept for an hour, because its page shows the outcome.
 */
export const expiryRules: readonly ExpiryRule[] = [
  { table: "authorization_code", when: sql`expires_at < now() - interval '2 hours'` },
  { table: "refresh_token", when: sql`expires_at < now() - interval '1 day'` },
  { table: "consent_request", when: sql`expires_at < now() - interval '1 hour'` },
  { table: "device_code", when: sql`expires_at < now() - interval '1 hour'` },
];
