import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Databases record the checksum of each migration, and refuse an edited one. The preparation of a
 * release therefore records the checksums, and a test compares them.
 */

/** The checksum of each released migration, by name. */
export type ReleasedMigrations = Readonly<Record<string, string>>;

const folder = "prisma/migrations";
const list = `${folder}/released.json`;

export const releasedMigrations = (root: string): ReleasedMigrations =>
  JSON.parse(readFileSync(join(root, list), "utf8")) as ReleasedMigrations;

/** Returns the checksums of all migrations in a checkout, as databases record them. */
export function migrationChecksums(root: string): ReleasedMigrations {
  const names = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const checksum = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(root, folder, name, "migration.sql")))
      .digest("hex");
  return Object.fromEntries(
    names
      .map(({ name }) => name)
      .sort()
      .map((name) => [name, checksum(name)]),
  );
}

/** Returns the released migrations that were edited or deleted. */
export const editedMigrations = (released: ReleasedMigrations, current: ReleasedMigrations): string[] =>
  Object.keys(released).filter((name) => released[name] !== current[name]);

/**
 * Records all migrations of a checkout as released.
 * @throws {Error} if a released migration was edited
 */
export function recordReleasedMigrations(root: string): void {
  const current = migrationChecksums(root);
  const [edited] = editedMigrations(releasedMigrations(root), current);
  if (edited) throw new Error(`The migration ${edited} was released before. Restore its file.`);
  writeFileSync(join(root, list), `${JSON.stringify(current, null, 2)}\n`);
}
