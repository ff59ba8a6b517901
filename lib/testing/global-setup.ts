import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { prepareTemplate } from "./prepare-template";
import { dropShards } from "./shards/test-shards";
import { query, throwawayPostgres, withTestClient } from "./temporary-postgres";

declare module "vitest" {
  interface ProvidedContext {
    /** The superuser's URL, and the migrated template database for each test file's database. */
    postgres: { url: string; template: string };
  }
}

type TemplateDatabase = { url: string; template: string; end: () => Promise<void> };
// Each vitest project loads this file as a separate module, so the database is shared through
// `globalThis`.
const shared = globalThis as typeof globalThis & { testPostgres?: Promise<TemplateDatabase> | undefined };

/**
 * Provides one PostgreSQL for the run: the one at TEST_DATABASE_URL (a superuser's URL), or a
 * temporary one. On the given server, creates and drops only its own databases.
 */
export default async function setUp(project: TestProject) {
  const first = shared.testPostgres === undefined;
  const { url, template, end } = await (shared.testPostgres ??= make());
  project.provide("postgres", { url, template });
  return async () => {
    if (!first) return;
    shared.testPostgres = undefined;
    await end();
  };
}

async function make(): Promise<TemplateDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  const { url, end } = given ? { url: given, end: async () => {} } : await throwawayPostgres();
  const template = `countersign_test_${randomBytes(4).toString("hex")}`;
  await prepareTemplate(url, template);
  return {
    url,
    template,
    end: async () => {
      if (given) await withTestClient(url, (admin) => dropShards(admin, template));
      if (given) await query(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      await end();
    },
  };
}
