import { disconnect } from "@/lib/database/db";

/**
 * In this test file the service gives up on its database as early as it does for its users, and not as late as a slow machine
 * needs it: for tests of outages and of these limits. `lib/testing/afresh.ts` puts it back.
 */
export async function realDatabaseLimits(): Promise<void> {
  process.env.COUNTERSIGN_DATABASE_PATIENCE = "1";
  (globalThis as { countersign?: Map<string, unknown> }).countersign?.delete("database limits");
  // Connections have the limits that they began with.
  await disconnect();
}
