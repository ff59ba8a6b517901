import { disconnect } from "@/lib/database/db";

/**
 * Gives a test file the production database timeouts, instead of those for slow machines.
 * `lib/testing/test-file-setup.ts` restores the longer timeouts before the next file.
 */
export async function realDatabaseTimeouts(): Promise<void> {
  process.env.COUNTERSIGN_DATABASE_PATIENCE = "1";
  (globalThis as { countersign?: Map<string, unknown> }).countersign?.delete("database timeouts");
  // Open connections would keep their initial timeouts.
  await disconnect();
}
