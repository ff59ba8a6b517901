import { resolve } from "node:path";
import { z } from "zod";
import { databaseAddress } from "../database/database-address";
import { telemetrySettings } from "../telemetry/settings";
import { processSingleton } from "../work/process-singleton";
import { oidcProviders } from "./oidc-settings";
import { retentionSettings } from "./retention-settings";
import {
  contact,
  missingCounterpart,
  origin,
  origins,
  passkeyOrigins,
  schedule,
  shardAddresses,
} from "./setting-formats";

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `Must be a whole number from ${min} to ${max}`);

/**
 * Named keys, separated by spaces, with the current key first. Each is `name:` and 32 bytes in
 * base64.
 */
const namedKeys = z.string().transform((text, context) => {
  const keys = new Map<string, Buffer>();
  for (const each of text.split(/\s+/)) {
    const [, name, base64] = /^([a-z0-9][a-z0-9-]{0,29}):([A-Za-z0-9+/_-]{43}=?)$/.exec(each) ?? [];
    if (!name || !base64 || keys.has(name)) {
      context.addIssue({
        code: "custom",
        message: "Must be keys separated by spaces, each like name:KEY, where KEY is 32 random bytes in Base64",
      });
      return z.NEVER;
    }
    keys.set(name, Buffer.from(base64, "base64"));
  }
  return keys;
});

const clientOf = z.string().min(1).optional();

/** The operator's settings. All are optional: without any, the service runs on one machine. */
const ServiceSettings = z.object({
  PORT: whole(0, 65535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "Must be an address to listen on, like 127.0.0.1 or 0.0.0.0")
    .default("127.0.0.1"),
  PUBLIC_URL: origin.optional(),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  SHARDS: shardAddresses.optional(),
  SHARD_ROUTER: z.enum(["spqr"], "Must be spqr").optional(),
  DATABASE_WAIT: whole(0, 3600).default(30),
  MIGRATE: z.enum(["on", "off"], "Must be on or off").default("on"),
  DATA_DIR: z.string().min(1, "Must be the path of a folder").default(".data"),
  SECRET: z.string().min(32, "Must be at least 32 random characters").optional(),
  SECRET_PREVIOUS: z.string().min(32, "Must be at least 32 random characters").optional(),
  SETUP_TOKEN: z.string().min(16, "Must be at least 16 characters").optional(),
  SIGNUPS: z.enum(["open", "closed"], "Must be open or closed").default("closed"),
  RATE_LIMIT: whole(0, 1_000_000).default(100),
  RATE_BURST: whole(1, 10_000_000).default(1000),
  MAX_PENDING: whole(0, 10_000_000).default(1000),
  REGISTRATION_LIMIT: whole(0, 1_000_000).default(10),
  ALLOW_PRIVATE_FETCH: origins.default([]),
  LENS_ORIGINS: passkeyOrigins.default([]),
  TRUST_PROXY: whole(0, 10).default(0),
  DATABASE_POOL: whole(2, 200).default(10),
  DRAIN_DELAY: whole(0, 300).default(0),
  ...telemetrySettings,
  ...retentionSettings,
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text), "Must be an smtp:// or smtps:// address")
    .optional(),
  SECURITY_CONTACT: contact.optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>@]+ <)?[^\s<>@]+@[^\s<>@]+>?$/, "Must be an email address, like Countersign <yes@example.com>")
    .optional(),
  INTEGRATION_KEYS: namedKeys.optional(),
  RECEIPT_KEY_DAYS: whole(0, 3650).default(0),
  GOOGLE_CLIENT_ID: clientOf,
  GOOGLE_CLIENT_SECRET: clientOf,
  MICROSOFT_CLIENT_ID: clientOf,
  MICROSOFT_CLIENT_SECRET: clientOf,
  MICROSOFT_TENANT: z
    .string()
    .regex(/^[\w.-]+$/, "Must be common, organizations, consumers or a tenant's ID")
    .default("common"),
  GITHUB_CLIENT_ID: clientOf,
  GITHUB_CLIENT_SECRET: clientOf,
  GITHUB_URL: origin.default("https://github.com"),
  TELEGRAM_API_URL: origin.default("https://api.telegram.org"),
  SLACK_API_URL: origin.default("https://slack.com"),
  OIDC_PROVIDERS: oidcProviders.default([]),
  UNDO_SECONDS: z.enum(["0", "5", "10", "30"], "Must be 0, 5, 10 or 30").default("5"),
  // The schedule that Standard Webhooks suggests: ten attempts over 75 hours and 35 minutes.
  WEBHOOK_SCHEDULE: schedule.default([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]),
});
export type ServiceSettings = z.output<typeof ServiceSettings>;

/** The names of all settings, for messages and the documentation test. */
export const settingNames = Object.keys(ServiceSettings.shape);

/** Thrown for an invalid setting. The message contains the setting's name and never its value. */
export class SettingError extends Error {}

/**
 * Reads the operator's settings. An empty variable counts as absent.
 * @throws {SettingError} naming the first invalid setting
 */
export function readSettings(from: NodeJS.ProcessEnv): ServiceSettings {
  const given = Object.fromEntries(settingNames.flatMap((name) => (from[name] ? [[name, from[name]]] : [])));
  const read = ServiceSettings.safeParse(given);
  const half = read.success && missingCounterpart(read.data);
  if (half) throw new SettingError(half);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new SettingError(`${path.join(".")} ${message.replace(/^M/, "m")}.`);
}

/**
 * The running service's complete settings (`setting-descriptions.ts` describes each). `server.ts`
 * and the commands set missing ones before first use.
 */
type Env = ReturnType<typeof complete>;

const environment = processSingleton<{ env?: Env }>("environment", () => ({}));

/**
 * Returns the service's environment, which is read once per process.
 * @throws {SettingError} if a required setting is missing
 */
export function env(): Env {
  const kept = environment();
  kept.env ??= complete(readSettings(process.env));
  return kept.env;
}

/** Clears the cached environment. Called after settings are filled in or, in tests, changed. */
export const resetEnv = () => {
  delete environment().env;
};

function complete(settings: ServiceSettings) {
  if (!settings.DATABASE_URL) throw new SettingError("DATABASE_URL is missing.");
  if (!settings.SECRET) throw new SettingError("SECRET is missing.");
  if (settings.SECRET_PREVIOUS === settings.SECRET)
    throw new SettingError("SECRET_PREVIOUS must differ from SECRET. Set SECRET to the new secret.");
  // The service's origin without a trailing slash. It is also the issuer, and never derived from a
  // request.
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  // A lens protects only from pages of another origin.
  if (settings.LENS_ORIGINS.includes(publicUrl))
    throw new SettingError("LENS_ORIGINS must not contain PUBLIC_URL. Serve the lens from another origin.");
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = settings;
  const google = both(settings, "GOOGLE");
  const microsoft = both(settings, "MICROSOFT");
  const github = both(settings, "GITHUB");
  return {
    publicUrl,
    databaseUrl: settings.DATABASE_URL,
    // The URL of the same database without a transaction-mode pooler.
    directUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    // The addresses of further PostgreSQL databases that store owners, by name.
    shards: settings.SHARDS ?? new Map<string, string>(),
    // The router at the database's URL that sends each statement to its shard, if any.
    shardRouter: settings.SHARD_ROUTER,
    secret: settings.SECRET,
    // Another secret that is still accepted while the operator replaces SECRET.
    secretPrevious: settings.SECRET_PREVIOUS,
    setupToken: settings.SETUP_TOKEN,
    signups: settings.SIGNUPS,
    // Requests per second and burst, per grant. A limit of 0 turns limits off.
    rateLimit: settings.RATE_LIMIT,
    rateBurst: settings.RATE_BURST,
    maxPending: settings.MAX_PENDING,
    registrationLimit: settings.REGISTRATION_LIMIT,
    allowPrivateFetch: settings.ALLOW_PRIVATE_FETCH,
    // Other origins at which owners may sign answers with their passkeys.
    lensOrigins: settings.LENS_ORIGINS,
    undoSeconds: Number(settings.UNDO_SECONDS) as 0 | 5 | 10 | 30,
    trustProxy: settings.TRUST_PROXY,
    databasePool: settings.DATABASE_POOL,
    // Undefined unless both settings are present. Without them, the service sends no mail.
    mail: smtpUrl && from ? { smtpUrl, from } : undefined,
    securityContact: settings.SECURITY_CONTACT,
    dataDir: resolve(settings.DATA_DIR),
    // Keys outside the database that encrypt the keys inside it, by name, the current one first. If
    // empty, one key is derived from the secret.
    integrationKeys: settings.INTEGRATION_KEYS ?? new Map<string, Buffer>(),
    // The number of days after which a new key signs receipts. 0 means never.
    receiptKeyDays: settings.RECEIPT_KEY_DAYS,
    google,
    microsoft: microsoft && { ...microsoft, tenant: settings.MICROSOFT_TENANT },
    github: github && { ...github, url: settings.GITHUB_URL },
    oidcProviders: settings.OIDC_PROVIDERS,
    telegramApi: settings.TELEGRAM_API_URL,
    slackApi: settings.SLACK_API_URL,
    webhookSchedule: settings.WEBHOOK_SCHEDULE,
  };
}

/** Returns our registration with a built-in provider, or undefined if it is incomplete. */
function both(settings: ServiceSettings, provider: "GOOGLE" | "MICROSOFT" | "GITHUB") {
  const clientId = settings[`${provider}_CLIENT_ID` as const];
  const clientSecret = settings[`${provider}_CLIENT_SECRET` as const];
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}
