import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { command, inWords, obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram, type Service, startProgram, startService } from "@/lib/testing/service-process";
import { testShards } from "@/lib/testing/shards/shard-count";

// Follows one data folder through its lifecycle. The tests must run in order, because each depends
// on the previous ones. The data folder contains the embedded PostgreSQL, except with shards, which
// need a separate one.
const isEmbedded = testShards === 0;
const dataDir = newDataDir(0o700);
const database = isEmbedded ? undefined : await ownDatabase();
const environment = { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) };
const email = "olive@example.com";
const password = "a password of some length";
let service: Service;
let METRICS_PORT: string;
let token: string;

const call = (path: string, body?: object) =>
  fetch(`${service.url}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

const ask = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };

beforeAll(async () => {
  METRICS_PORT = String(await freePort());
  service = await startService({ ...environment, METRICS_PORT });
});

afterAll(async () => {
  await service.stop();
  await database?.end();
  removeDataDir(dataDir);
});

test("restricts secret files to the service's user", () => {
  for (const name of ["secret", ...(isEmbedded ? ["postgres.password"] : [])])
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
});

test("prints a working setup link before the first owner exists", async () => {
  const link = /http\S+\/setup\?token=\S+/.exec(service.output())?.[0] ?? "";
  expect((await fetch(link)).status).toBe(200);
});

test("serves the newest version of a package under its unversioned name", async () => {
  const newest: Record<string, string> = await (await fetch(`${service.url}/client/latest.json`)).json();
  const unreleased: string[] = await (await fetch(`${service.url}/client/unreleased.json`)).json();
  for (const [name, versioned] of Object.entries(newest)) {
    const [plain, archive] = await Promise.all([name, versioned].map((it) => fetch(`${service.url}/client/${it}`)));
    expect([plain?.status, archive?.status]).toEqual([200, 200]);
    expect(archive?.headers.get("cache-control")).toBe(
      unreleased.includes(versioned) ? "public, no-cache" : "public, max-age=31536000, immutable",
    );
    expect(plain?.headers.get("cache-control")).not.toContain("immutable");
    expect(plain?.headers.get("content-disposition")).toBe(`attachment; filename="${versioned}"`);
    const bytes = Buffer.from((await archive?.arrayBuffer()) as ArrayBuffer);
    expect(bytes.equals(Buffer.from((await plain?.arrayBuffer()) as ArrayBuffer)), name).toBe(true);
    const checksum = await (await fetch(`${service.url}/client/${versioned}.sha256`)).text();
    expect(checksum).toBe(`${createHash("sha256").update(bytes).digest("hex")}  ${versioned}\n`);
  }
  expect(Object.keys(newest)).toHaveLength(3);
});

test("creates an owner, an app and a token on a running service", async () => {
  const owner = await command(
    environment,
    ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"],
    password,
  );
  const { ownerId } = owner.json();
  expect(ownerId).toMatch(/^own_/);
  const app = await command(environment, ["app", "create", "--owner", email, "--name", "Courier"]);
  const { clientId, clientSecret } = app.json();
  expect(clientSecret).toMatch(/^csn_cs_/);
  const scopes = ["approvals:write", "approvals:read"];
  const given = scopes.flatMap((scope) => ["--scope", scope]);
  const made = await command(environment, ["token", "create", "--owner", email, "--app", String(clientId), ...given]);
  expect(made.json()).toEqual({
    token: expect.stringMatching(/^csn_pat_/),
    expiresAt: expect.any(Number),
    scopes,
    owner: ownerId,
  });
  token = String(made.json().token);
  expect((await call("/api/approvals")).status).toBe(200);
});

// With shards, doctor.db.test.ts has the same test.
test.runIf(isEmbedded)("reports no problems when doctor checks a running service", async () => {
  const running = { ...environment, METRICS_PORT, PORT: new URL(service.url).port };
  const { out, err, status } = await inWords(running, ["doctor"]);
  expect([err, status]).toEqual(["", 0]);
  expect(out).toMatch(/\n\n0 problems found\.\n$/);
  const well = [...out.matchAll(/^ok +(\w+)/gm)].map(([, about]) => about);
  expect([...new Set(well)].join(" ")).toBe(
    "Settings Disk Database Connections Clock Durability Migrations Secret Feed Webhooks Alerts Service Metrics",
  );
  expect(out).toContain(`An instance is ready at 127.0.0.1:${running.PORT}.`);
});

test("prints a working link to reset a password", async () => {
  const link = String((await obeyed(environment, ["owner", "reset", email])).json().link);
  const { pathname, search } = new URL(link);
  const page = await fetch(`${service.url}${pathname}${search}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(email)]);
});

test("explains that a token was issued for another resource", async () => {
  const { apps } = (await obeyed(environment, ["app", "list"])).json() as { apps: { clientId: string }[] };
  const clientId = apps[0]?.clientId;
  const given = ["--scope", "approvals:read"];
  const working = token;
  const forMcp = ["token", "create", "--owner", email, "--app", String(clientId), "--for", "mcp", ...given];
  token = String((await obeyed(environment, forMcp)).json().token);
  expect(await (await call("/api/approvals")).json()).toMatchObject({
    details: [{ message: "This token works only for /api/mcp. Create a token for /api." }],
  });
  token = working;

  // The error must not reveal that the app belongs to another owner.
  const other = "oscar@example.com";
  await obeyed(environment, ["owner", "create", "--email", other, "--name", "Oscar", "--password-stdin"], password);
  const none = await obeyed(environment, ["token", "create", "--owner", other, "--app", String(clientId), ...given]);
  expect([none.status, none.out]).toEqual([1, ""]);
  expect(none.err).toContain(`${other} must first register the app ${String(clientId)} or grant the app access.`);
});

test.runIf(isEmbedded)("rejects a second instance on the same data folder", async () => {
  const second = runProgram([startProgram, "--built"], { PORT: "0", ...environment });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(
    `The data folder ${dataDir} is in use by another running instance. Stop that instance, or set DATA_DIR to another folder.`,
  );
  expect((await call("/api/approvals")).status).toBe(200);
});

test("keeps acknowledged approvals after kill -9", async () => {
  const submitted = await Promise.all(Array.from({ length: 20 }, () => call("/api/approvals", ask)));
  const ids = await Promise.all(submitted.map(async (reply) => ((await reply.json()) as { id: string }).id));
  service.child.kill("SIGKILL");
  expect(await service.ended).toBe("SIGKILL");
  service = await startService(environment);
  for (const id of ids)
    expect(await (await call(`/api/approvals/${id}`)).json()).toMatchObject({ _id: id, status: "pending" });
});

test("completes open requests before exiting on SIGTERM", async () => {
  const stream = await fetch(`${service.url}/live`, { headers: { cookie: await signIn() } });
  expect(stream.status).toBe(200);
  const reader = stream.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("retry:");
  const ended = (async () => {
    for (;;) if ((await reader.read()).done) return true;
  })();
  const late = await begun("/api/approvals", ask);

  service.child.kill("SIGTERM");
  await expect.poll(service.output).toContain("Stopping");
  expect(await late.finish()).toBe(201);
  expect(await ended).toBe(true);
  expect(await service.ended).toBe(0);
  expect(service.output()).toMatch(/Stopped\n$/);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
});

test("runs commands while the service is stopped", async () => {
  const list = await obeyed(environment, ["grant", "list", "--json"]);
  expect(list.json()).toMatchObject({
    grants: [{ owner: email, name: "Courier", tokens: [{ kind: "personal" }, { kind: "personal" }] }],
  });
  expect((await command(environment, ["token", "revoke", token])).status).toBe(0);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
});

test("rejects a token that was revoked while the service was stopped", async () => {
  service = await startService(environment);
  expect((await call("/api/approvals")).status).toBe(401);
  expect(service.output()).not.toContain("/setup?token=");
});

test("prints only startup steps before the service is ready", () => {
  const [started = ""] = service.output().split("\nCountersign is at");
  expect(started).toContain("Starting the pages … ");
  // Indented lines belong to the step above.
  const step = /^$|^ {2}|^[A-Z][\w ]+( \(shard \w+\))? … ([\d.]+ s)?$/;
  expect(started.split("\n").filter((line) => !step.test(line))).toEqual([]);
});

/** Sends a request's headers without its body. */
async function begun(path: string, body: object) {
  const sent = request(`${service.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": JSON.stringify(body).length,
      expect: "100-continue",
    },
  });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await once(sent, "continue");
  return {
    finish: async () => {
      sent.end(JSON.stringify(body));
      const [reply] = await answered;
      reply.resume();
      return reply.statusCode;
    },
  };
}

/** Signs in as a browser does. @returns the session's cookie */
async function signIn(): Promise<string> {
  const reply = await fetch(`${service.url}/acts/session.start`, {
    method: "POST",
    body: new URLSearchParams({ email, password }),
    headers: { origin: service.url },
    redirect: "manual",
  });
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
