import { randomBytes } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "@/lib/cli/prepare-checkout.mjs";
import { progress } from "@/lib/cli/progress.mjs";
import { freePort } from "@/lib/net/free-port";
import { startDocuments } from "@/lib/testing/client-metadata-server";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { startIdentityProvider } from "@/lib/testing/identity-provider";
import { startService } from "@/lib/testing/service-process";
import { throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { dumpDatabase } from "./dump-database";
import { leaksIn } from "./secret-leaks";

/**
 * Starts one Postgres and one built service for the run, and stops both afterwards. Workers find
 * them in the environment. E2E_URL, DATABASE_URL and SECRET select a running service instead.
 */
export default async function setUp() {
  if (process.env.E2E_URL) return;
  // The service also waits longer for its database than in production
  // (lib/testing/real-database-timeouts.ts).
  process.env.COUNTERSIGN_DATABASE_PATIENCE ??= "15";
  await build(progress().step);
  const postgres = await throwawayPostgres();
  const dataDir = newDataDir();
  const documents = await startDocuments();
  const receiver = await aReceiver();
  // Providers for linking: two shared ones, and one with failures that tests control.
  const identities = await Promise.all([
    startIdentityProvider("corp"),
    startIdentityProvider("uni", { name: "Uni", domain: "uni.example" }),
    startIdentityProvider("moody", { name: "Moody", domain: "moody.example" }),
  ]);
  // The address at which a test may start a push service.
  const pushOrigin = `http://127.0.0.1:${await freePort("127.0.0.1")}`;
  // The address at which a test may start chat services.
  const chatsOrigin = `http://127.0.0.1:${await freePort("127.0.0.1")}`;
  // The origin at which a test may serve the lens.
  const lensOrigin = `http://localhost:${await freePort("127.0.0.1")}`;
  const environment = {
    DATABASE_URL: postgres.url,
    SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: dataDir,
    SETUP_TOKEN: randomBytes(16).toString("hex"),
    ALLOW_PRIVATE_FETCH: [
      documents.origin,
      receiver.origin,
      pushOrigin,
      chatsOrigin,
      ...identities.map(({ origin }) => origin),
    ].join(" "),
    SLACK_API_URL: chatsOrigin,
    LENS_ORIGINS: lensOrigin,
    OIDC_PROVIDERS: JSON.stringify(identities.map(({ setting }) => setting)),
    // Answers are sent immediately, except in tests of undo.
    UNDO_SECONDS: "0",
    // All tests share one IP address.
    REGISTRATION_LIMIT: "0",
  };
  const close = async () => {
    for (const each of [documents, receiver, ...identities]) each.close();
    await postgres.end();
  };
  // The service serves thousands of pages for several minutes.
  const service = await startService(environment, []).catch(async (error) => {
    await close();
    throw error;
  });
  const log = join(dataDir, "service.log");
  writeFileSync(log, service.output());
  for (const stream of [service.child.stdout, service.child.stderr]) {
    stream?.on("data", (text: Buffer) => appendFileSync(log, text));
  }
  Object.assign(process.env, environment, {
    E2E_LOG: log,
    E2E_URL: service.url,
    E2E_SERVICE: String(service.child.pid),
    E2E_DOCUMENTS: documents.origin,
    E2E_HOOKS: receiver.origin,
    E2E_PUSH: pushOrigin,
    E2E_LENS: lensOrigin,
    E2E_CHATS: chatsOrigin,
    PUBLIC_URL: service.url,
    DATABASE_POOL: "3",
  });

  return async () => {
    await service.stop();
    // No secret issued during the whole run may appear in the database or the log.
    const given = identities.flatMap(({ clientSecret, issued }) => [
      clientSecret,
      ...issued().map(({ value }) => value),
    ]);
    const found = (text: string) => [...leaksIn(text), ...leaked(text, given)];
    const leaks = { database: found(await dumpDatabase()), log: found(service.output()) };
    await close();
    removeDataDir(dataDir);
    if (leaks.database.length + leaks.log.length > 0) throw new Error(`Secrets in clear: ${JSON.stringify(leaks)}`);
  };
}
