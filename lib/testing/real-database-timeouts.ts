import { disconnect } from "@/lib/database/db";

/**
 * Gives a test file the production timeouts for the database, instead of the longer ones for slow
 * machines. `lib/testing/test-file-setup.ts` restores the longer timeouts before the next file.
 * @param factor multiplies the production timeouts
 */
export async function realDatabaseTimeouts(factor = 1): Promise<void> {
  process.env.COUNTERSIGN_DATABASE_PATIENCE = String(factor);
  (globalThis as { countersign?: Map<string, unknown> }).countersign?.delete("database timeouts");
  // Disconnects, because open connections would keep the timeouts with which they began.
  await disconnect();
}
