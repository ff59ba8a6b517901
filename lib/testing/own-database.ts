import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { inDatabase, query } from "./temporary-postgres";

/**
 * Creates another migrated database in the run's PostgreSQL, for processes that test files start.
 */
export async function ownDatabase(): Promise<{ url: string; end: () => Promise<void> }> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { url: inDatabase(url, name), end: () => query(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}
