import { afterAll, beforeAll, expect, test } from "vitest";
import { start, stop } from "@/lib/postgres/postgres-server";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { ownServer } from "@/lib/testing/own-database";
import { type Service, startService } from "@/lib/testing/service-process";

const dataDir = newDataDir(0o700);
const question = {
  question: "Ship it?",
  options: [{ id: "yes", label: "Yes" }],
};
let postgres: Awaited<ReturnType<typeof ownServer>>;
let service: Service;
let token: string;

beforeAll(async () => {
  postgres = await ownServer();
  const environment = {
    DATABASE_URL: postgres.url,
    SECRET: "for-serving-0123456789abcdef0123456789abcdef",
    DATA_DIR: dataDir,
    RATE_LIMIT: "0",
    DRAIN_DELAY: "5",
  };
  service = await startService(environment);
  const run = async (args: string[], input = "") => (await obeyed(environment, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const { clientId } = await run(["app", "create", "--owner", email, "--name", "Courier"]);
  const scopes = ["--scope", "approvals:write", "--scope", "approvals:read"];
  token = String((await run(["token", "create", "--owner", email, "--app", String(clientId), ...scopes])).token);
});

afterAll(async () => {
  await service?.stop();
  await postgres?.end();
  removeDataDir(dataDir);
});

const headers = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const submit = (body: string) => fetch(`${service.url}/api/approvals`, { method: "POST", headers: headers(), body });

test("reports ready during a database outage while the API returns 503", async () => {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const before = service.output().length;
  await stop(postgres.instance);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz?strict`)).status).toBe(503);
  for (const path of ["/api/approvals", "/api/notifications", "/api/events", "/api/mcp"]) {
    const post = path === "/api/mcp" && { method: "POST", body: "{}" };
    const reply = await fetch(`${service.url}${path}`, { headers: headers(), ...post });
    expect([path, reply.status, reply.headers.get("retry-after")]).toEqual([path, 503, "1"]);
    expect(await reply.json()).toHaveProperty("error");
  }
  const page = await fetch(`${service.url}/`);
  expect(page.headers.get("content-type")).toContain("text/html");
  // The lines that Next logs have the same format.
  const lines = service.output().slice(before).split("\n").filter(Boolean);
  expect(lines.filter((line) => !line.startsWith('{"time":'))).toEqual([]);
  await start(postgres.instance, postgres.port);
  await expect.poll(async () => (await submit(JSON.stringify(question))).status).toBe(201);
});

test("reports not ready on SIGTERM before exiting", async () => {
  service.child.kill("SIGTERM");
  const ready = () => fetch(`${service.url}/readyz`).then(({ status }) => status);
  await expect.poll(ready).toBe(503);
  const reply = await submit(JSON.stringify(question));
  expect([reply.status, reply.headers.get("connection")]).toEqual([201, "close"]);
  expect(service.output()).toContain("Shutting down. Serving requests for another 5 s");
  expect(await service.ended).toBe(0);
  expect(service.output()).toMatch(/Stopping\. Waiting for requests to finish\.\n(.*\n)*Stopped\n$/);
  await expect(ready()).rejects.toThrow();
});
