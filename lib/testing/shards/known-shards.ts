/*
 * With TEST_SHARDS, a test's database has shards. Tests and their helpers mention only the database,
 * so this module adds the setting SHARDS for each process that uses the database.
 */

/** The connections of the shards that belong to a test's directory. */
export type ShardUrls = readonly { name: string; number: number; url: string }[];

const known = new Map<string, ShardUrls>();

/** Remembers the shards of a database, which may be none. */
export function rememberShards(directoryUrl: string, shards: ShardUrls): void {
  if (shards.length > 0) known.set(directoryUrl, shards);
}

/** Returns the shards of a database, or none. */
export const shardsOf = (directoryUrl = ""): ShardUrls => known.get(directoryUrl) ?? [];

/** Adds SHARDS to settings that name a database with shards, unless they contain SHARDS. */
export function withShards(settings: Readonly<Record<string, string>>): Record<string, string> {
  const shards = shardsOf(settings.DATABASE_URL);
  if (shards.length === 0) return { ...settings };
  return { SHARDS: shards.map(({ name, url }) => `${name}=${url}`).join(" "), ...settings };
}
