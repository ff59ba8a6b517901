import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { migrate } from "@/lib/postgres/migrations";
import { inDatabase, query } from "./temporary-postgres";

/**
 * Creates a separate database that has only the migrations before the given one, as under an earlier
 * version of the service.
 * @param migration the name of a migration's folder, or its beginning
 */
export async function databaseBefore(migration: string): Promise<{ url: string; end: () => Promise<void> }> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "countersign-migrations-"));
  try {
    cpSync("prisma/migrations", folder, { recursive: true });
    for (const each of readdirSync(folder)) if (each >= migration) rmSync(join(folder, each), { recursive: true });
    await query(url, `CREATE DATABASE ${name}`);
    await migrate(inDatabase(url, name), { folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { url: inDatabase(url, name), end: () => query(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}
