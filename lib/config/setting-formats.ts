import { z } from "zod";
import { databaseAddress } from "../database/database-address";

/** One http(s) origin, with an optional trailing slash that parsing removes. */
export const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.hash || url.username) {
    context.addIssue({
      code: "custom",
      message: "Must be an http(s) address without a path, like https://yes.example.com",
    });
    return z.NEVER;
  }
  return url.origin;
});

/** A contact address as a `mailto:` or `https:` URL. */
export const contact = z
  .string()
  .refine(
    (text) => /^mailto:[^\s@]+@[^\s@]+$/.test(text) || (/^https:\/\/\S+$/.test(text) && URL.canParse(text)),
    "Must be a mailto: or https: address, like mailto:security@example.com",
  );

/**
 * Exact origins, separated by spaces. Patterns and bare hosts are invalid. A mail server's origin
 * includes its port.
 */
export const origins = listOf(
  isOrigin,
  "Must be origins like http://127.0.0.1:8080 or imaps://127.0.0.1:993, separated by spaces",
);

/** Exact origins of pages that can use passkeys: https, or http on localhost. */
export const passkeyOrigins = listOf(
  (text) => /^(https:\/\/[^*]+|http:\/\/localhost(:\d+)?)$/.test(text) && isOrigin(text),
  "Must be origins like https://lens.example.com, separated by spaces",
);

function listOf(isValid: (text: string) => boolean, message: string) {
  return z.string().transform((text, context) =>
    text.split(/\s+/).map((each) => {
      if (isValid(each)) return each;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  );
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname, port } = new URL(text);
  if (/^https?:$/.test(protocol)) return origin === text;
  // For schemes like `imap`, the URL parser returns no origin and does not normalize the host.
  const host = `http://${hostname}`;
  if (!/^(imap|smtp)s?:$/.test(protocol) || port === "" || !URL.canParse(host)) return false;
  return `${protocol}//${new URL(host).hostname}:${port}` === text;
}

/** Addresses of databases by their names, separated by spaces. */
export const shardAddresses = z.string().transform((text, context) => {
  const shards = new Map<string, string>();
  for (const each of text.trim().split(/\s+/)) {
    const [, name = "", address = ""] = /^([a-z][a-z0-9_]{0,30})=(.+)$/.exec(each) ?? [];
    const read = databaseAddress.safeParse(address);
    if (!read.success || name === "main" || shards.has(name)) {
      context.addIssue({
        code: "custom",
        message:
          "Must be databases separated by spaces, each like NAME=postgresql://user:password@host:5432/database. A name has lowercase letters, digits and _, begins with a letter, and is not main",
      });
      return z.NEVER;
    }
    shards.set(name, address);
  }
  return shards as ReadonlyMap<string, string>;
});

/** Delays in seconds, separated by commas. */
export const schedule = z
  .string()
  .regex(/^\d{1,6}(\s*,\s*\d{1,6}){0,19}$/, "Must be a comma-separated list of 1 to 20 whole numbers of seconds")
  .transform((text) => text.split(",").map(Number));

/** Settings that have no effect without each other. */
const pairs = [
  ["SMTP_URL", "MAIL_FROM"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
] as const;

/**
 * Returns a sentence that names a missing setting whose counterpart is set; undefined if none is
 * missing.
 */
export function missingCounterpart(
  settings: Partial<
    Record<(typeof pairs)[number][number] | "DATABASE_URL" | "DATABASE_DIRECT_URL" | "SHARD_ROUTER", string | undefined>
  > & { SHARDS?: object | undefined },
) {
  if (settings.DATABASE_DIRECT_URL && !settings.DATABASE_URL)
    return "DATABASE_DIRECT_URL requires DATABASE_URL. Set DATABASE_URL.";
  if (settings.SHARDS && !settings.DATABASE_URL) return "SHARDS requires DATABASE_URL. Set DATABASE_URL.";
  if (settings.SHARD_ROUTER && !settings.SHARDS) return "SHARD_ROUTER requires SHARDS. Set SHARDS.";
  if (settings.SHARD_ROUTER && !settings.DATABASE_DIRECT_URL)
    return "SHARD_ROUTER requires DATABASE_DIRECT_URL. Set DATABASE_DIRECT_URL to the database of the shard main.";
  for (const [a, b] of pairs) {
    if (settings[a] && !settings[b]) return `${a} requires ${b}. Set ${b}.`;
    if (settings[b] && !settings[a]) return `${b} requires ${a}. Set ${a}.`;
  }
  return undefined;
}
