import { readFileSync } from "node:fs";

/**
 * Returns the name of the newest archive in `public/client` for a versionless name, such as
 * `countersign.tgz`.
 */
export const newestArchive = (name: string): string =>
  JSON.parse(readFileSync("public/client/latest.json", "utf8"))[name];
