import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { copyDatabase, inDatabase, query, withTestClient } from "./temporary-postgres";

/**
 * Creates a separate migrated database in the test run's PostgreSQL, for processes that test files
 * start.
 */
export async function ownDatabase(): Promise<{ url: string; end: () => Promise<void> }> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await withTestClient(url, (admin) => copyDatabase(admin, template, name));
  return { url: inDatabase(url, name), end: () => query(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}
