import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, expect, inject } from "vitest";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { batchMode } from "@/lib/requests/batched-statement";
import { configure } from "@/lib/testing/settings";
import { eventually } from "./eventually";
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
const publicUrl = "http://localhost:3000";
configure({
  DATABASE_URL: address.href,
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
  PUBLIC_URL: publicUrl,
  NEXTAUTH_URL: publicUrl,
  // An answer counts at once, unless a test is about taking it back.
  UNDO_SECONDS: "0",
});
batchMode.are = "as they come";

/** Who is still connected to the file's database, by what each calls itself. */
const connected = async () =>
  (await admin.query("SELECT application_name FROM pg_stat_activity WHERE datname = $1", [name])).rows.map(
    ({ application_name }) => application_name,
  );

afterAll(async () => {
  await closePubsub();
  await closeDb();
  try {
    // Work that outlived its file would go on into the next one, which shares its thread.
    await eventually(async () => expect(await connected(), "open connections to the file's database").toEqual([]));
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
});
