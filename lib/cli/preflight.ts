import { accessSync, constants, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { clock } from "@/lib/clock";
import { readSettings, type ServiceSettings } from "@/lib/config/env";
import { log } from "@/lib/log";
import { checkDatabase, reasonOf } from "@/lib/postgres/connection-check";
import type { Tell } from "@/lib/postgres/os-user";
import { OperatorError } from "./command";
import { restrictPermissions } from "./data-folder-permissions";
import { envFile, unreadSettings } from "./doctor/unknown-settings";

/**
 * Runs the checks that need no build, so that problems are reported before the build. Waits up to
 * DATABASE_WAIT seconds for a database that is down. Logs a warning for unknown setting names.
 * @throws {SettingError | OperatorError | PostgresError}
 */
export async function preflight(environment: NodeJS.ProcessEnv, tell: Tell): Promise<void> {
  const settings = readSettings(environment);
  for (const warning of unreadSettings(environment, envFile())) log.warn(warning);
  checkFolder(settings);
  await checkPort(settings.PORT, settings.HOST);
  if (settings.METRICS_PORT) await checkPort(settings.METRICS_PORT, settings.METRICS_HOST, "METRICS_");
  await checkDatabase(settings, { seconds: settings.DATABASE_WAIT, tell });
}

/**
 * Creates DATA_DIR and restricts its permissions, unless DATABASE_URL and SECRET replace everything
 * in it.
 * @returns the folder's absolute path
 * @throws {OperatorError} if the folder can't be used
 */
export function checkFolder(settings: ServiceSettings): string {
  const folder = resolve(settings.DATA_DIR);
  if (settings.DATABASE_URL && settings.SECRET) return folder;
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    restrictPermissions(folder, !settings.DATABASE_URL);
  } catch (error) {
    throw new OperatorError(
      `Can't use the data folder ${folder}: ${reasonOf(error)}. Check the folder's permissions, or set DATA_DIR to another folder.`,
    );
  }
  return folder;
}

/**
 * Returns the error for a port that cannot be opened.
 * @param of the prefix of the settings' names: "" for PORT and HOST, or "METRICS_"
 */
export const cannotListen = (port: number, host: string, error: unknown, of = ""): OperatorError => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new OperatorError(
      `Port ${port} on ${host} is in use. Stop the program that uses the port, or set ${of}PORT to a free port.`,
    );
  if (code === "EACCES")
    return new OperatorError(
      `Port ${port} requires privileges that this user does not have. Set ${of}PORT to 1024 or higher.`,
    );
  return new OperatorError(
    `Can't listen on ${host}: ${reasonOf(error)}. Set ${of}HOST to an address of this computer.`,
  );
};

/**
 * Checks that the port is free. A stopping instance gets two seconds to release it.
 * @throws {OperatorError} if the port can't be opened
 */
async function checkPort(port: number, host: string, of?: string): Promise<void> {
  const giveUp = clock.now() + 2000;
  for (;;) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
      const probe = createServer().on("error", done);
      probe.listen(port, host, () => probe.close(() => done(undefined)));
    });
    if (!error) return;
    if (error.code !== "EADDRINUSE" || clock.now() > giveUp) throw cannotListen(port, host, error, of);
    await clock.pause(200);
  }
}
