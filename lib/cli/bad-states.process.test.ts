import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { runProgram, startProgram } from "@/lib/testing/service";

/** Starts it, expecting that it says what is wrong and ends. */
async function refusal(environment: Record<string, string>) {
  const folder = newDataDir();
  const began = performance.now();
  const run = runProgram([startProgram], { PORT: "0", DATA_DIR: folder, ...environment });
  const late = setTimeout(() => run.child.kill("SIGKILL"), 30_000);
  const status = await run.ended;
  clearTimeout(late);
  const seconds = (performance.now() - began) / 1000;
  removeDataDir(folder);
  return { status, said: run.said().trim(), seconds };
}

test.each([
  ["PORT", { PORT: "70000" }],
  ["PORT", { PORT: "http" }],
  ["HOST", { HOST: "not a host" }],
  ["HOST", { HOST: "192.0.2.7" }],
  ["PUBLIC_URL", { PUBLIC_URL: "https://example.com/path" }],
  ["PUBLIC_URL", { PUBLIC_URL: "example.com" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://localhost/x" }],
  ["DATABASE_URL", { DATABASE_URL: "postgresql://nobody:hush@127.0.0.1:1/none" }],
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
])("a wrong %s is named: %j", async (name, environment) => {
  const { status, said, seconds } = await refusal(environment);
  expect(said).toMatch(new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*\\.$`));
  expect(said).not.toContain("hush");
  expect(status).toBe(1);
  expect(seconds).toBeLessThan(5);
});

test("source maps are off once the service has begun, so that it keeps none in memory", async () => {
  const tell = `const set = process.setSourceMapsEnabled; let on = false;
    process.setSourceMapsEnabled = (to) => set.call(process, (on = to));
    process.on("exit", () => console.log(on ? "maps on" : "maps off"));`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tell)}`;
  expect((await refusal({ PORT: "http", NODE_OPTIONS })).said).toContain("maps off");
});

test("a port in use is said so", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as { port: number };
  const { status, said, seconds } = await refusal({ PORT: String(port) });
  holder.close();
  expect(said).toBe(`Port ${port} of 127.0.0.1 is in use; stop what uses it or set PORT.`);
  expect(status).toBe(1);
  expect(seconds).toBeLessThan(5);
});
