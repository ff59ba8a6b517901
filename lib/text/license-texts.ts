import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Installed = { version: string; license?: string; dev?: boolean };

/**
 * Returns the full licenses of the packages in this build. Each text appears once, below the names
 * of its packages. `docs/licenses.md` lists the packages for all operating systems.
 * @param root the checkout's root folder
 */
export function licenseTexts(root = process.cwd()): string {
  // Hides the paths from the bundler, which would otherwise include every file of the checkout.
  const inRoot = (...path: string[]) => join(/* turbopackIgnore: true */ root, ...path);
  const { packages } = JSON.parse(readFileSync(inRoot("node_modules/.package-lock.json"), "utf8")) as {
    packages: Record<string, Installed>;
  };
  const packagesByText = new Map<string, Set<string>>();
  for (const [path, { version, license = "", dev }] of Object.entries(packages)) {
    if (dev || !existsSync(inRoot(path))) continue;
    const texts = readdirSync(inRoot(path), { withFileTypes: true })
      .filter((file) => file.isFile() && /^(licen[cs]e|copying|notice|ofl)\b/i.test(file.name))
      .map(({ name }) => readFileSync(inRoot(path, name), "utf8").replaceAll("\r\n", "\n").trim());
    for (const text of texts.length > 0 ? texts : [`License: ${license}. No license text is included.`])
      packagesByText.set(
        text,
        (packagesByText.get(text) ?? new Set()).add(`${path.split("node_modules/").at(-1)} ${version}`),
      );
  }
  const ours = `Countersign\n\n${readFileSync(inRoot("LICENSE"), "utf8")}`;
  const parts = [...packagesByText].map(([text, names]) => `${[...names].sort().join("\n")}\n\n${text}\n`);
  return [
    ours,
    `Countersign includes the packages below. Each license follows the names of its packages.\n`,
    ...parts.sort(),
  ].join(rule);
}

const rule = `\n${"-".repeat(80)}\n\n`;
