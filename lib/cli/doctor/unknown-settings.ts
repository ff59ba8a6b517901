import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { settingNames } from "@/lib/config/env";
import { editDistance } from "@/lib/text/nearest-word";

/**
 * Returns one sentence for each name that is not a setting: for every such name in .env, and for
 * names in the environment that differ from a setting's only by underscores, case or one letter.
 * @param file the text of .env
 */
export function unreadSettings(environment: NodeJS.ProcessEnv, file: string): string[] {
  const isUnknown = (name: string) => !settingNames.includes(name) && !others.test(name);
  const written = Object.keys(parseEnv(file)).filter(isUnknown);
  const alike = Object.keys(environment).filter((name) => isUnknown(name) && nearest(name, 1) !== undefined);
  return [...new Set([...written, ...alike])].map((name) => {
    const instead = nearest(name, 2);
    return `${name} is not a setting and has no effect. ${instead ? `Did you mean ${instead}?` : `Remove ${name}.`}`;
  });
}

/** Returns the text of .env, or "" if there is none. */
export const envFile = () => (existsSync(".env") ? readFileSync(".env", "utf8") : "");

/** Names in .env that other programs read. */
const others = /^(OTEL|NODE|NEXT|NPM|PG|COUNTERSIGN|TZ|LANG|LC)(_|$)/i;
const bare = (name: string) => name.replaceAll("_", "").toUpperCase();
/**
 * Minimum length of a setting's name for which a one-letter difference counts as a typo. Shorter
 * names are too similar to other programs' names.
 */
const shortest = 8;

/**
 * Returns the setting that a name most likely means; undefined if no setting is similar enough.
 * @param maxDistance how many letters may differ in a long name
 */
function nearest(name: string, maxDistance: number): string | undefined {
  const given = bare(name);
  const near = settingNames
    .map((it) => ({ it, letters: bare(it) }))
    .map(({ it, letters }) => ({ it, letters, most: letters.length < shortest ? 0 : maxDistance }))
    // Most names already differ too much in length, so their letters need no comparison.
    .filter(({ letters, most }) => letters.length > 4 && Math.abs(letters.length - given.length) <= most)
    .map(({ it, letters, most }) => ({ it, most, distance: editDistance(letters, given) }))
    .filter(({ distance, most }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.it;
}
