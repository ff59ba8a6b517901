import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { batches } from "@/lib/access/together";
import { closeDb } from "@/lib/db";
import { resetEnv } from "@/lib/env";
import { drainHub } from "@/lib/events/hub";
import "./passwords";

// Runs before every database test file: a database of its own, cloned from the migrated one, and settings to go with it.
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
// An answer counts at once, unless a test is about taking it back.
process.env.UNDO_SECONDS = "0";
process.env.NEXTAUTH_URL = process.env.PUBLIC_URL;
resetEnv();
batches.are = "as they come";

afterAll(async () => {
  await drainHub();
  await closeDb();
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
});
