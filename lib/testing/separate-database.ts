import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { migrate } from "@/lib/postgres/migrations";
import { inDatabase, query } from "./temporary-postgres";

/** Creates a separate database with our migrations, which is not a copy of the migrated template. */
export async function separateDatabase(): Promise<{ url: string; end: () => Promise<void> }> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE DATABASE ${name}`);
  await migrate(inDatabase(url, name));
  return { url: inDatabase(url, name), end: () => query(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/**
 * Creates a folder with our migrations and additional ones, which the caller deletes.
 * @param more the SQL of each additional migration, by name
 */
export function folderOfMigrations(more: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-migrations-"));
  cpSync("prisma/migrations", folder, { recursive: true });
  for (const [name, sql] of Object.entries(more)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "migration.sql"), sql);
  }
  return folder;
}
