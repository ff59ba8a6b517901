import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject, vi } from "vitest";
import { closeDb } from "@/lib/db";
import { resetEnv, settingNames } from "@/lib/env";
import { drainHub } from "@/lib/events/hub";

// Runs before every database test file: a database of its own, cloned from the migrated one, and settings to go with it.
// Files follow one another in one thread: what exists once per process is made anew for each, and no setting is left over.
vi.useRealTimers();
for (const setting of settingNames) delete process.env[setting];
(globalThis as { countersign?: Map<string, unknown> }).countersign?.clear();
const { url, template } = inject("postgres");
const name = `${template}_${randomBytes(4).toString("hex")}`;
const admin = new pg.Client({ connectionString: url });
admin.on("error", () => {});
await admin.connect();
await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);

const address = new URL(url);
address.pathname = `/${name}`;
process.env.DATABASE_URL = address.href;
process.env.SECRET = "only-for-tests-0123456789abcdef0123456789abcdef";
process.env.PUBLIC_URL = "http://localhost:3000";
process.env.NEXTAUTH_URL = process.env.PUBLIC_URL;
resetEnv();

afterAll(async () => {
  await drainHub();
  await closeDb();
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
});
