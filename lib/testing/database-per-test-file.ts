import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, expect, inject } from "vitest";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { batchMode } from "@/lib/requests/batched-statement";
import { contradictingOwners } from "./contradicting-owners";
import { eventually } from "./eventually";
import "./fast-passwords";
import { guardProduct } from "./guard-statements";
import "./owner-statements/statement-recorder";
import { configureDatabase } from "./configure-database";
import { rememberShards } from "./shards/known-shards";
import { createShards, dropShards } from "./shards/test-shards";
import { copyDatabase } from "./temporary-postgres";

// Runs before every database test file. Creates the file's own database from the migrated template,
// and points the settings to it.
const { url, template } = inject("postgres");
const name = `${template}_${randomBytes(4).toString("hex")}`;
const admin = new pg.Client({ connectionString: url });
admin.on("error", () => {});
await admin.connect();
await copyDatabase(admin, template, name);
const shards = await createShards(admin, url, template, name);

const address = new URL(url);
address.pathname = `/${name}`;
const publicUrl = "http://localhost:3000";
batchMode.are = "as they come";
guardProduct();
rememberShards(address.href, shards);
await configureDatabase({
  DATABASE_URL: address.href,
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
  PUBLIC_URL: publicUrl,
  // Answers take effect immediately. Tests of undo override this.
  UNDO_SECONDS: "0",
});
const urls = [address.href, ...shards.map((shard) => shard.url)];

/** Returns the open connections to the file's databases, by application name. */
const connected = async () =>
  (
    await admin.query("SELECT application_name FROM pg_stat_activity WHERE datname = ANY ($1)", [
      urls.map((each) => new URL(each).pathname.slice(1)),
    ])
  ).rows.map(({ application_name }) => application_name);

afterAll(async () => {
  await closePubsub();
  await closeDb();
  try {
    // Work that outlives its file would continue during the next file, which runs in the same
    // thread.
    await eventually(async () => expect(await connected(), "open connections to the file's database").toEqual([]));
    for (const each of urls)
      expect(await contradictingOwners(each), "rows with another owner than the row they refer to").toEqual([]);
  } finally {
    await dropShards(admin, name);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
});
