import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { sql } from "@/lib/database/sql";

/** The rules for when the sweeper deletes rows, one for each table. */
export const expiryRules: readonly ExpiryRule[] = [
  { table: "throttle", when: sql`expires_at < now()` },
  { table: "owner_session", when: sql`expires_at < now() OR ended_at < now()` },
  { table: "passkey_challenge", when: sql`expires_at < now()` },
  { table: "sign_in_link", when: sql`expires_at < now() - interval '1 hour'` },
  { table: "failed_sign_in", when: sql`minute < now() - interval '30 days'` },
];
