/*
 * Dates the changelogs of a release. The service's CHANGELOG keeps an empty section for the next
 * release. Each package's CHANGELOG has a section for the version, marked as unreleased.
 */

const escaped = (version: string) => version.replaceAll(".", "\\.");

/** Returns the date of a released version; undefined if the version is not released. */
export const dateOf = (text: string, version: string): string | undefined =>
  new RegExp(`^## ${escaped(version)} - (\\d{4}-\\d\\d-\\d\\d)$`, "m").exec(text)?.[1];

/** Whether a CHANGELOG has the version as a dated section. */
export const isDated = (text: string, version: string): boolean => dateOf(text, version) !== undefined;

/**
 * Returns the service's CHANGELOG with its unreleased changes as a dated section.
 * @throws if there are no unreleased changes
 */
export function datedChangelog(text: string, version: string, date: string): string {
  if (isDated(text, version)) return text;
  const [, body = ""] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
  if (body.trim() === "") throw new Error("CHANGELOG.md lists no changes below ## Unreleased.");
  const changes = body.replace(/^\nThe service has no release yet\. .*\n/m, "\nThis is the first release.\n");
  return text.replace(`## Unreleased\n${body}`, () => `## Unreleased\n\n## ${version} - ${date}\n${changes}`);
}

/**
 * Returns a package's CHANGELOG with the version's section dated.
 * @throws if the version has no section
 */
export function datedPackageChangelog(file: string, text: string, version: string, date: string): string {
  if (isDated(text, version)) return text;
  const heading = `## ${version} (unreleased)`;
  if (!text.includes(`\n${heading}\n`))
    throw new Error(`${file} has no section for ${version}. Add ${heading}, also if the package did not change.`);
  return text.replace(heading, `## ${version} - ${date}`);
}

/** Returns the section of a version, without its heading, for the release's notes. */
export function notesOf(text: string, version: string): string {
  const section = new RegExp(`^## ${escaped(version)} - .*\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, "m").exec(text);
  return `${(section?.[1] ?? "").trim()}\n`;
}
