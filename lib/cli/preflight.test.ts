import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { describeError } from "./describe-error.mjs";
import { preflight } from "./preflight";

test.each([
  ["PORT", { PORT: "70000" }],
  ["HOST", { HOST: "not a host" }],
  ["HOST", { HOST: "192.0.2.7" }],
  ["PUBLIC_URL", { PUBLIC_URL: "https://example.com/path" }],
  ["PUBLIC_URL", { PUBLIC_URL: "example.com" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://localhost/x" }],
  ["DATA_DIR", { DATA_DIR: join(import.meta.filename, "inside-a-file") }],
  ["SECRET", { SECRET: "short" }],
  ["SETUP_TOKEN", { SETUP_TOKEN: "short" }],
  ["SIGNUPS", { SIGNUPS: "maybe" }],
  ["RATE_LIMIT", { RATE_LIMIT: "-1" }],
  ["RATE_BURST", { RATE_BURST: "0" }],
  ["MAX_PENDING", { MAX_PENDING: "1e3" }],
  ["TRUST_PROXY", { TRUST_PROXY: "yes" }],
  ["DATABASE_POOL", { DATABASE_POOL: "1" }],
  ["INTEGRATION_KEYS", { INTEGRATION_KEYS: "name:hush" }],
  ["SMTP_URL", { MAIL_FROM: "yes@example.com" }],
  ["MAIL_FROM", { SMTP_URL: "smtp://mail.example" }],
  ["GOOGLE_CLIENT_SECRET", { GOOGLE_CLIENT_ID: "hush" }],
  ["MICROSOFT_CLIENT_ID", { MICROSOFT_CLIENT_SECRET: "hush" }],
  ["GITHUB_CLIENT_SECRET", { GITHUB_CLIENT_ID: "hush" }],
])("rejects an invalid %s without creating files: %j", async (name, environment) => {
  const DATA_DIR = newDataDir();
  const refused = await preflight({ NODE_ENV: "production", PORT: "0", DATA_DIR, ...environment }, () => {}).catch(
    describeError,
  );
  expect(refused).toMatch(new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*\\.$`));
  expect(refused).not.toContain("hush");
  expect(readdirSync(DATA_DIR)).toEqual([]);
  removeDataDir(DATA_DIR);
});

test("suggests the nearest setting for a misspelled setting name", async () => {
  const DATA_DIR = newDataDir();
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await preflight({ NODE_ENV: "production", PORT: "0", DATA_DIR, RATELIMIT: "5" }, () => {});
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  write.mockRestore();
  const message = "RATELIMIT is not a setting and has no effect. Did you mean RATE_LIMIT?";
  expect(lines).toEqual([expect.objectContaining({ level: "warn", message })]);
  removeDataDir(DATA_DIR);
});
