import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A configuration that operators are given, with what is theirs filled in.
 * @param name in docs/operations
 * @param theirs what stands there, and what stands for it here
 * @throws where something does not stand there
 */
export function asShipped(name: string, theirs: Record<string, string>): string {
  let text = readFileSync(join("docs/operations", name), "utf8");
  for (const [here, there] of Object.entries(theirs)) {
    if (!text.includes(here)) throw new Error(`${name} has no ${here}`);
    text = text.replaceAll(here, there);
  }
  return text;
}
