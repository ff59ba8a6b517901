import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns a configuration file of docs/operations with test values.
 * @param name the file's name
 * @param theirs replacements by the text that they replace
 * @throws if the file lacks one of these texts
 */
export function asShipped(name: string, theirs: Record<string, string>): string {
  let text = readFileSync(join("docs/operations", name), "utf8");
  for (const [here, there] of Object.entries(theirs)) {
    if (!text.includes(here)) throw new Error(`${name} has no ${here}`);
    text = text.replaceAll(here, there);
  }
  return text;
}
