import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrate } from "@/lib/postgres/migrations";
import { inDatabase, query, throwawayPostgres } from "./throwaway";

declare module "vitest" {
  interface ProvidedContext {
    /** The superuser's address, and the migrated database that every test file's own is cloned from. */
    postgres: { url: string; template: string };
  }
}

/**
 * One Postgres for the run: a throw-away one, or the one at TEST_DATABASE_URL (a superuser's address), in which only
 * databases of our own naming are made and dropped.
 */
export default async function setUp(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL;
  const { url, end } = given ? { url: given, end: async () => {} } : await throwawayPostgres();
  const template = `countersign_test_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE DATABASE ${template}`);
  await migrate(inDatabase(url, template));
  project.provide("postgres", { url, template });

  return async () => {
    if (given) await query(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await end();
  };
}
