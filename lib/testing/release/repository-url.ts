import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Writes the repository's public URL into the packages for npm and PyPI. npm's provenance requires
 * the URL, and both registries link to it.
 */

/** @param url the repository's URL, like https://git.example.com/acme/countersign */
export function setRepository(root: string, url: string): void {
  if (!/^https:\/\/[^\s"]+[^\s"/]$/.test(url)) throw new Error(`RELEASE_REPOSITORY must be an https URL, not ${url}`);
  const bare = url.replace(/\.git$/, "");
  const change = (file: string, work: (text: string) => string) =>
    writeFileSync(join(root, file), work(readFileSync(join(root, file), "utf8")));
  change("clients/typescript/package.json", (text) => {
    const { name, version, description, license, repository: _, ...others } = JSON.parse(text);
    const repository = { type: "git", url: `git+${bare}.git`, directory: "clients/typescript" };
    return `${JSON.stringify({ name, version, description, license, repository, ...others }, null, 2)}\n`;
  });
  change("clients/python/pyproject.toml", (text) =>
    text
      .replace(/^\[project\.urls\]\n(?:.+\n)*\n/m, "")
      .replace(
        "[project.optional-dependencies]",
        `[project.urls]\nSource = "${bare}"\n\n[project.optional-dependencies]`,
      ),
  );
}
