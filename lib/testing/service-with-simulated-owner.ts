import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "@/lib/testing/eventually";
import { newDataDir, removeDataDir } from "./data-dir";
import { obeyed } from "./operator-command";
import { ownDatabase } from "./own-database";
import { runProgram, type Service, startService } from "./service-process";

/** A rule for `countersign simulate`. */
export type Rule = { question?: string; answer: unknown; delayMs?: number };

const run = join(import.meta.dirname, "../cli/run-typescript.mjs");
const scopes = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write", "notifications:read"];

/**
 * Starts the built service, and a simulated owner who answers one app's questions, for tests of
 * clients in other languages.
 * @returns a client's environment, a folder for its files, and a function that ends everything
 */
export async function simulatedService(name: string, rules: readonly Rule[]) {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  const data = newDataDir();
  const database = await ownDatabase();
  let service: Service | undefined;
  let simulator: ReturnType<typeof runProgram> | undefined;
  async function end() {
    simulator?.child.kill("SIGTERM");
    await simulator?.ended;
    await service?.stop();
    await database.end();
    removeDataDir(data);
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const secret = "of-whom-strangers-ask-0123456789abcdef0123456789";
    const settings = { DATABASE_URL: database.url, SECRET: secret, DATA_DIR: data };
    service = await startService(settings);
    const told = async (args: string[], input = "") =>
      (await obeyed(settings, args, input)).json() as Record<string, string>;
    const email = "olive@example.com";
    const create = ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"];
    await told(create, "a password of some length");
    const { clientId = "" } = await told(["app", "create", "--owner", email, "--name", name]);
    const wanted = scopes.flatMap((scope) => ["--scope", scope]);
    const grant = ["token", "create", "--owner", email, "--app", clientId, ...wanted];
    const { token = "", owner = "" } = await told(grant);
    const file = join(folder, "rules.json");
    writeFileSync(file, JSON.stringify({ rules }));
    const simulate = ["simulate", "--owner", email, "--app", clientId, "--rules", file, "--allow-remote"];
    simulator = runProgram([run, "lib/cli/main.ts", ...simulate], settings);
    const { output: said } = simulator;
    await eventually(() => expect(said()).toContain("questions to "));
    const environment = {
      COUNTERSIGN_URL: service.url,
      COUNTERSIGN_TOKEN: token,
      COUNTERSIGN_OWNER: owner,
      COUNTERSIGN_ISSUER: service.url,
      COUNTERSIGN_ALLOW_SIMULATED: "1",
    };
    return { folder, environment, end };
  } catch (error) {
    await end();
    throw error;
  }
}
