import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  editedMigrations,
  migrationChecksums,
  recordReleasedMigrations,
  releasedMigrations,
} from "./released-migrations";

test("edits no released migration", () => {
  expect(editedMigrations(releasedMigrations("."), migrationChecksums("."))).toEqual([]);
});

test("records the migrations of a release, and rejects later edits", () => {
  const root = mkdtempSync(join(tmpdir(), "countersign-released-"));
  try {
    cpSync("prisma/migrations", join(root, "prisma/migrations"), { recursive: true });
    recordReleasedMigrations(root);
    expect(releasedMigrations(root)).toEqual(migrationChecksums("."));
    expect(Object.keys(releasedMigrations(root))).toContain("20261128000000_initial");
    recordReleasedMigrations(root);
    const file = join(root, "prisma/migrations/20261128000000_initial/migration.sql");
    writeFileSync(file, `${readFileSync(file, "utf8")}-- edited\n`);
    expect(editedMigrations(releasedMigrations(root), migrationChecksums(root))).toEqual(["20261128000000_initial"]);
    expect(() => recordReleasedMigrations(root)).toThrow("20261128000000_initial was released before");
  } finally {
    rmSync(root, { recursive: true });
  }
});
