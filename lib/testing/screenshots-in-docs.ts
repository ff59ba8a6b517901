import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const pictureFolder = "docs/screenshots";

/**
 * A picture on a page. The name "inbox-1280-light" contains its subject, the screen's width and the
 * theme.
 */
export type Picture = { name: string; subject: string; screen: string };

/** Returns the pictures in the README and the documentation, without duplicates. */
export function shownPictures(): Picture[] {
  const docs = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => join("docs", name));
  const texts = ["README.md", ...docs.filter((file) => file.endsWith(".md"))].map((file) => readFileSync(file, "utf8"));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/screenshots\/([\w-]+)\.png\)/g)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].sort().map((name) => {
    const [, subject = "", screen = ""] = /^(.*)-(\d+-\w+)$/.exec(name) ?? [];
    return { name, subject, screen };
  });
}
