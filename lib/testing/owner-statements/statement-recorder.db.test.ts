import { readFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { disconnect, pool } from "@/lib/database/db";
import { createSession } from "@/lib/owners/sessions";
import { listEndpoints } from "@/lib/webhooks/endpoints";
import { configure } from "../change-settings";
import { anOwner } from "../factories";

// `npm test` sets the folder.
const folder = process.env.RECORDED_STATEMENTS ?? "";
const testIfRecorded = test.runIf(folder);

/** Returns what this thread has recorded, one line for each statement. */
const recorded = () => readFileSync(join(folder, `${process.pid}-${threadId}.jsonl`), "utf8").split("\n");

testIfRecorded("omits a test's statement that waits for a connection of the product's work", async () => {
  const owner = await anOwner();
  configure({ DATABASE_POOL: "2" });
  await disconnect();
  const work = Array.from({ length: 40 }, () => listEndpoints(owner));
  await Promise.all([...work, pool().query("SELECT 'sent by a test' AS sender")]);
  expect(recorded().some((line) => line.includes("webhook_endpoint"))).toBe(true);
  expect(recorded().filter((line) => line.includes("sent by a test"))).toEqual([]);
});

testIfRecorded("records a statement in a transaction of Prisma", async () => {
  const { ownerId } = await anOwner();
  await createSession({ ownerId, sessionVersion: 1 }, { method: "password", userAgent: "", address: "127.0.0.1" });
  const inserts = recorded().filter((line) => line.includes("INSERT INTO owner_session"));
  expect(inserts.some((line) => line.includes('"file":"lib/owners/sessions.ts"'))).toBe(true);
});

testIfRecorded("records statements of modules that a test has loaded again", async () => {
  const owner = await anOwner();
  await disconnect();
  vi.resetModules();
  await import("./statement-recorder");
  const { changeSettings }: typeof import("@/lib/owners/settings") = await import("@/lib/owners/settings");
  // No other test changes exactly these settings.
  await changeSettings(owner, { singleKeys: true, density: "compact", motion: "reduced", theme: "dark" });
  const upserts = recorded().filter((line) => line.includes('INSERT INTO \\"public\\".\\"owner_settings\\"'));
  expect(upserts.some((line) => line.includes('"file":"lib/owners/settings.ts"'))).toBe(true);
});
