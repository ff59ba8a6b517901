import { accessSync, constants, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { readSettings, type ServiceSettings } from "@/lib/env";
import { redact } from "@/lib/log";
import { connected } from "@/lib/postgres/connected";
import { OperatorError } from "./command";
import { closeToOthers } from "./folder-modes";

/**
 * What can be known to go wrong before anything is built or started.
 * @throws {SettingError | OperatorError}
 */
export async function preflight(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment);
  checkFolder(settings);
  await checkPort(settings.PORT, settings.HOST);
  if (settings.METRICS_PORT) await checkPort(settings.METRICS_PORT, settings.METRICS_HOST, "METRICS_");
  await checkDatabase(settings);
}

/** DATA_DIR holds whatever was not configured. @returns its absolute path */
export function checkFolder(settings: ServiceSettings): string {
  const folder = resolve(settings.DATA_DIR);
  if (settings.DATABASE_URL && settings.SECRET) return folder;
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    closeToOthers(folder, !settings.DATABASE_URL);
  } catch (error) {
    throw new OperatorError(`The data folder ${folder} (DATA_DIR) cannot be written to: ${reason(error)}.`);
  }
  return folder;
}

/** One connection, to say plainly what is wrong before anything else is tried. */
export async function checkDatabase({ DATABASE_URL }: ServiceSettings): Promise<void> {
  if (!DATABASE_URL) return;
  type Found = { version: number; standby: boolean; readOnly: boolean };
  const ask = `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
    current_setting('transaction_read_only')::boolean AS "readOnly"`;
  const patience = { connectionTimeoutMillis: 3000, query_timeout: 3000 };
  const asked = connected(DATABASE_URL, (client) => client.query<Found>(ask), patience);
  const [found] = await asked.then(
    ({ rows }) => rows,
    (error) => {
      throw new OperatorError(`The database at DATABASE_URL cannot be reached: ${reason(error)}.`);
    },
  );
  if (!found || found.version < 140_000)
    throw new OperatorError("The database at DATABASE_URL is older than PostgreSQL 14.");
  if (found.standby)
    throw new OperatorError(
      "The database at DATABASE_URL is a standby, which takes no writes: set the address of its primary.",
    );
  if (found.readOnly) throw new OperatorError("The database at DATABASE_URL is read-only.");
}

/** @param of which setting it is: PORT and HOST, or those of something else */
export const cannotListen = (port: number, host: string, error: unknown, of = ""): OperatorError => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new OperatorError(`Port ${port} of ${host} is in use; stop what uses it or set ${of}PORT.`);
  if (code === "EACCES")
    return new OperatorError(`Port ${port} needs privileges that this user does not have; set ${of}PORT.`);
  return new OperatorError(`${of}HOST ${host} cannot be used to listen: ${reason(error)}.`);
};

/** A copy that is just stopping gets two seconds to leave the port. */
async function checkPort(port: number, host: string, of?: string): Promise<void> {
  const giveUp = Date.now() + 2000;
  for (;;) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
      const probe = createServer().on("error", done);
      probe.listen(port, host, () => probe.close(() => done(undefined)));
    });
    if (!error) return;
    if (error.code !== "EADDRINUSE" || Date.now() > giveUp) throw cannotListen(port, host, error, of);
    await new Promise((done) => setTimeout(done, 200));
  }
}

function reason(error: unknown): string {
  const { errors, code, message } = error as { errors?: unknown[]; code?: string; message?: string };
  if (errors?.length) return reason(errors[0]);
  return redact((message || code || "unknown").replace(/\.$/, ""));
}
