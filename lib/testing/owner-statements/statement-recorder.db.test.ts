import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { disconnect, pool } from "@/lib/database/db";
import { createSession } from "@/lib/owners/sessions";
import { listEndpoints } from "@/lib/webhooks/endpoints";
import { configure } from "../change-settings";
import { anOwner } from "../factories";

// `npm test` sets the folder.
const folder = process.env.RECORDED_STATEMENTS ?? "";

test.runIf(folder)("omits a test's statement that waits for a connection of the product's work", async () => {
  const owner = await anOwner();
  configure({ DATABASE_POOL: "2" });
  await disconnect();
  const work = Array.from({ length: 40 }, () => listEndpoints(owner));
  await Promise.all([...work, pool().query("SELECT 'sent by a test' AS sender")]);
  const recorded = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const lines = recorded.join("").split("\n");
  expect(lines.some((line) => line.includes("webhook_endpoint"))).toBe(true);
  expect(lines.filter((line) => line.includes("sent by a test"))).toEqual([]);
});

test.runIf(folder)("records a statement in a transaction of Prisma", async () => {
  const { ownerId } = await anOwner();
  await createSession({ ownerId, sessionVersion: 1 }, { method: "password", userAgent: "", address: "127.0.0.1" });
  const recorded = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const lines = recorded
    .join("")
    .split("\n")
    .filter((line) => line.includes("INSERT INTO owner_session"));
  expect(lines.some((line) => line.includes('"file":"lib/owners/sessions.ts"'))).toBe(true);
});
