import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, expect, inject } from "vitest";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { batchMode } from "@/lib/requests/batched-statement";
import { configure } from "@/lib/testing/change-settings";
import { contradictingOwners } from "./contradicting-owners";
import { eventually } from "./eventually";
import "./fast-passwords";
import { guardProduct } from "./guard-statements";
import "./owner-statements/statement-recorder";

// Runs before every database test file. Creates the file's own database from the migrated template,
// and points the settings to it.
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
  // Answers take effect immediately. Tests of undo override this.
  UNDO_SECONDS: "0",
});
batchMode.are = "as they come";
guardProduct();

/** Returns the open connections to the file's database, by application name. */
const connected = async () =>
  (await admin.query("SELECT application_name FROM pg_stat_activity WHERE datname = $1", [name])).rows.map(
    ({ application_name }) => application_name,
  );

afterAll(async () => {
  await closePubsub();
  await closeDb();
  try {
    // Work that outlives its file would continue during the next file, which runs in the same
    // thread.
    await eventually(async () => expect(await connected(), "open connections to the file's database").toEqual([]));
    expect(await contradictingOwners(address.href), "rows with another owner than the row they refer to").toEqual([]);
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
});
