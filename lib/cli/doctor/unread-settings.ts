import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { settingNames } from "@/lib/config/env";

/**
 * One sentence for each name that resembles a setting but is none. These are unknown names in .env,
 * and names in the environment that differ from a setting's by underscores, case or one letter.
 * @param file the text of .env
 */
export function unreadSettings(environment: NodeJS.ProcessEnv, file: string): string[] {
  const isUnknown = (name: string) => !settingNames.includes(name) && !others.test(name);
  const written = Object.keys(parseEnv(file)).filter(isUnknown);
  const alike = Object.keys(environment).filter((name) => isUnknown(name) && nearest(name, 1) !== undefined);
  return [...new Set([...written, ...alike])].map((name) => {
    const instead = nearest(name, 2);
    return `${name} is not a setting and has no effect. ${instead ? `Did you mean ${instead}?` : "Remove it."}`;
  });
}

/** The text of .env, or "" if there is none. */
export const envFile = () => (existsSync(".env") ? readFileSync(".env", "utf8") : "");

/** Names that other programs read from the same file. */
const others = /^(OTEL|NODE|NEXT|NPM|PG|COUNTERSIGN|TZ|LANG|LC)(_|$)/i;
const bare = (name: string) => name.replaceAll("_", "").toUpperCase();
/** Shorter names differ too little from other programs' names to be called a typo. */
const shortest = 8;

/** The setting that a name most likely means. @param maxDistance how many letters may differ in a long name */
function nearest(name: string, maxDistance: number): string | undefined {
  const given = bare(name);
  let best: { it: string; slips: number } | undefined;
  for (const it of settingNames) {
    const slips = distance(bare(it), given);
    const allowed = bare(it).length < shortest ? 0 : maxDistance;
    if (bare(it).length > 4 && slips <= allowed && slips < (best?.slips ?? Number.POSITIVE_INFINITY))
      best = { it, slips };
  }
  return best?.it;
}

/**
 * How many letters must be added, removed, changed or swapped with a neighbor (optimal string
 * alignment distance).
 */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let a = 1; a <= from.length; a++) {
    rows.push([a]);
    for (let b = 1; b <= to.length; b++) {
      const change = cell(a - 1, b - 1) + (from[a - 1] === to[b - 1] ? 0 : 1);
      const isSwap = a > 1 && b > 1 && from[a - 1] === to[b - 2] && from[a - 2] === to[b - 1];
      const swap = isSwap ? cell(a - 2, b - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[a]?.push(Math.min(change, swap, cell(a - 1, b) + 1, cell(a, b - 1) + 1));
    }
  }
  return cell(from.length, to.length);
}
