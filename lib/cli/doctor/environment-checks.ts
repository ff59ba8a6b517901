import { existsSync, realpathSync, statfsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isLoopback } from "@/lib/api/dns-rebinding";
import type { ServiceSettings } from "@/lib/config/env";
import { checkMail } from "@/lib/mail";
import { reasonOf } from "@/lib/postgres/connection-check";
import { OperatorError } from "../command";
import { type CheckResult, fail, findingsOr, note, ok, sizeText } from "./check-result";
import { unreadSettings } from "./unknown-settings";

/**
 * Checks the settings, and finds names in .env that are not settings.
 * @param file the text of .env
 */
export function seeSettings(settings: ServiceSettings, environment: NodeJS.ProcessEnv, file: string): CheckResult {
  const { PUBLIC_URL: publicUrl, TRUST_PROXY: proxies } = settings;
  const given = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isHere = given === undefined || isLoopback(given.hostname);
  return {
    findings: findingsOr(
      [
        ...unreadSettings(environment, file).map(fail),
        !isHere &&
          given.protocol === "http:" &&
          note("PUBLIC_URL does not use TLS, so browsers don't allow passkeys or alerts. Set an https:// URL."),
        given?.protocol === "https:" &&
          proxies === 0 &&
          note(
            "TRUST_PROXY is 0, so all callers behind a proxy count as one caller. Set TRUST_PROXY to the number of proxies in front of the service.",
          ),
        settings.RATE_LIMIT === 0 &&
          !isHere &&
          note(
            "RATE_LIMIT is 0, so one app can use all of the service's capacity. Set RATE_LIMIT to a maximum number of requests per second.",
          ),
      ],
      "All settings are valid.",
    ),
  };
}

/**
 * Checks free disk space where the service keeps files. Cannot check the disk of a database at
 * DATABASE_URL.
 */
export function seeDisk(settings: ServiceSettings): CheckResult | undefined {
  const folder = resolve(settings.DATA_DIR);
  if ((settings.DATABASE_URL && settings.SECRET) || !existsSync(folder)) return undefined;
  const database = settings.DATABASE_URL ? undefined : embeddedFolder(folder);
  const places = [{ what: "DATA_DIR", path: folder }];
  if (database && statSync(database).dev !== statSync(folder).dev)
    places.push({ what: "the database", path: database });
  const rooms = places.map((place) => {
    const { bavail, blocks, bsize } = statfsSync(place.path);
    return { ...place, free: bavail * bsize, total: blocks * bsize };
  });
  return { findings: rooms.map(diskFinding) };
}

type Room = { what: string; path: string; free: number; total: number };

export function diskFinding({ what, path, free, total }: Room) {
  const left = `${sizeText(free)} of ${sizeText(total)} is free for ${what} (${path})`;
  if (free < 2 ** 30) return fail(`${left}. Free some space before the disk is full.`);
  return free < total / 10 ? note(`${left}. Add disk space soon.`) : ok(`${left}.`);
}

/** Returns the embedded database's folder, if it was ever created. */
export function embeddedFolder(dataDir: string): string | undefined {
  const path = join(dataDir, "postgres");
  return existsSync(path) ? realpathSync(path) : undefined;
}

/** Checks that the mail server accepts connections from this service. Sends no mail. */
export async function seeMail({ SMTP_URL: url }: ServiceSettings): Promise<CheckResult> {
  if (!url)
    return {
      findings: [
        note("No mail server is set, so owners get no sign-in links and no other email. Set SMTP_URL and MAIL_FROM."),
      ],
    };
  const { host } = new URL(url);
  try {
    await checkMail(url);
    return { findings: [ok(`The mail server ${host} accepts connections from this service.`)] };
  } catch (error) {
    return {
      findings: [fail(`Can't use the mail server ${host} (${reasonOf(error)}). Check the mail server and SMTP_URL.`)],
    };
  }
}

/**
 * Checks that the service runs here and is reachable at its public address.
 * @returns whether it runs
 */
export async function seeService({
  PORT,
  HOST,
  PUBLIC_URL: publicUrl,
}: ServiceSettings): Promise<CheckResult & { running: boolean }> {
  const place = `${here(HOST)}:${PORT}`;
  const status = PORT === 0 ? undefined : await statusOf(`http://${place}/readyz?strict`).catch(() => undefined);
  if (status === undefined)
    return {
      findings: [
        note(
          PORT === 0
            ? "PORT is 0, so this command can't find a running instance. Set PORT to the instance's port."
            : `No instance is running at ${place}. Start an instance with "npm start".`,
        ),
      ],
      running: false,
    };
  if (status !== 200)
    return {
      findings: [
        fail(
          `The instance at ${place} is not ready (HTTP ${status}). If the instance is not starting or shutting down, fix the problems above and read the instance's log.`,
        ),
      ],
      running: true,
    };
  const found = ok(`An instance is ready at ${place}.`);
  if (publicUrl === undefined) return { findings: [found], running: true };
  const reached = await statusOf(`${publicUrl}/livez`).catch(reasonOfFetch);
  const outside =
    reached === 200
      ? ok(`The instance is reachable at ${publicUrl}.`)
      : note(
          `This computer can't reach the instance at ${publicUrl} (${typeof reached === "number" ? `HTTP ${reached}` : reached}). Check the proxy, its certificate and the DNS name.`,
        );
  return { findings: [found, outside], running: true };
}

/**
 * Returns the metrics page of the instance that runs here.
 * @throws {OperatorError} if it does not respond
 */
export async function readMetrics({ METRICS_PORT: port, METRICS_HOST: host }: ServiceSettings): Promise<string> {
  const url = `http://${here(host)}:${port}/metrics`;
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (reply.status === 200) return await reply.text();
    throw new Error(`HTTP ${reply.status}`);
  } catch (error) {
    const reason = reasonOfFetch(error);
    throw new OperatorError(
      `Can't read metrics from ${url} (${reason}). Set METRICS_PORT and METRICS_HOST to the running instance's values.`,
    );
  }
}

const statusOf = async (url: string) =>
  (await fetch(url, { signal: AbortSignal.timeout(3000), redirect: "manual" })).status;
const reasonOfFetch = (error: unknown) => reasonOf((error as Error).cause ?? error);

/** Returns the address to connect to, for an address that the service listens on. */
export const here = (host: string) =>
  host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
