import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect } from "vitest";
import { openapiText } from "@/lib/api/openapi";
import { openapi30Text } from "@/lib/api/openapi-3.0";
import { startFront } from "../api-server";
import { anAppWith } from "../factories";
import { runSystem } from "../test-with-programs";
import { pythonWith } from "./pypi-environment";

/** The timeout of a test in milliseconds, which allows for compilers and registries. */
export const clientTestTimeoutMs = 900_000;

/** The lines that each program prints. */
const printed = [
  "waited true pending",
  "listed true",
  "got Ship? true pending",
  "resolved true",
  "answered ship it api true",
  "again 409",
];

/**
 * Starts the service and a simulated future version of it, for one test file's clients. Clients are
 * generated in a folder that contains the service's description.
 */
export async function clientService() {
  const { port } = await startFront();
  const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const today = `http://127.0.0.1:${port}`;
  const services = [today, await nextYearOf(today)];
  const folder = mkdtempSync(join(tmpdir(), "countersign-clients-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.json"), openapiText());
  writeFileSync(join(folder, "openapi-3.0.json"), openapi30Text());

  /** Runs a program, and throws if it fails. @returns its output */
  async function run(program: string, args: readonly string[], cwd = folder, env = {}): Promise<string> {
    const { status, out, err } = await runSystem(program, args, { cwd, env });
    if (status !== 0) throw new Error(`${program} ended with ${status}:\n${out}\n${err}`);
    return out;
  }

  /** Asserts that a client's program prints the expected lines with both versions. */
  async function expectToWork(program: string, args: readonly string[], cwd: string) {
    for (const url of services) {
      const out = await run(program, [...args, url, token], cwd);
      expect(out.trim().split(/\r?\n/)).toEqual(printed);
    }
  }

  /**
   * Downloads a program from Maven Central, unless Maven has cached it.
   * @returns the path of the program's JAR file
   */
  async function fromMaven(group: string, name: string, version: string): Promise<string> {
    const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
    await run("mvn", ["-q", "-B", plugin, `-Dartifact=${group}:${name}:${version}`, `-DoutputDirectory=${folder}`]);
    return join(folder, `${name}-${version}.jar`);
  }

  return {
    ...{ folder, today, run, fromMaven, expectToWork },
    pythonWith: (name: string, packages: readonly string[]) => pythonWith(run, folder, name, packages),
  };
}

/**
 * Starts a proxy that simulates a future version: adds an unknown field to every object in
 * responses, and an unknown risk to every approval.
 */
async function nextYearOf(today: string): Promise<string> {
  const server = http.createServer(async (req, res) => {
    const body = req.method === "POST" ? await new Response(Readable.toWeb(req) as ReadableStream).text() : undefined;
    const { authorization = "" } = req.headers;
    const headers = { authorization, ...(body && { "content-type": "application/json" }) };
    const how = { method: req.method as string, headers, ...(body && { body }) };
    const reply = await fetch(today + req.url, how);
    const grown = JSON.parse(await reply.text(), (_, value) =>
      typeof value === "object" && !Array.isArray(value)
        ? { ...value, newNextYear: { of: "ours" }, ...("question" in value && { risk: "extreme" }) }
        : value,
    );
    res.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(grown));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
