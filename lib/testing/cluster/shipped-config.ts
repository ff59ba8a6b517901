import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns an operator's configuration file with test values filled in.
 * @param name the file in docs/operations
 * @param theirs the original texts and their replacements
 * @throws if an original text is missing
 */
export function asShipped(name: string, theirs: Record<string, string>): string {
  let text = readFileSync(join("docs/operations", name), "utf8");
  for (const [here, there] of Object.entries(theirs)) {
    if (!text.includes(here)) throw new Error(`${name} has no ${here}`);
    text = text.replaceAll(here, there);
  }
  return text;
}
