import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { inDatabase, query } from "./throwaway";

/** A database of its own in the run's Postgres, migrated, for what test files start as processes. */
export async function ownDatabase(): Promise<{ url: string; end: () => Promise<void> }> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { url: inDatabase(url, name), end: () => query(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}
