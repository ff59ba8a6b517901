import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A Dockerfile instruction with its continuation lines. */
export type Instruction = { name: string; rest: string };

/** Returns the stages of a Dockerfile, each with its instructions in order. */
export function stagesOf(path: string): Instruction[][] {
  const lines = readFileSync(path, "utf8")
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .flatMap((line) => /^(\w+)\s+(.*)$/.exec(line)?.slice(1) ?? []);
  const stages: Instruction[][] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const it = { name: lines[at] as string, rest: lines[at + 1] as string };
    if (it.name === "FROM") stages.push([]);
    stages.at(-1)?.push(it);
  }
  return stages;
}

/**
 * Returns the build context: the files that git tracks or would track, without those that the
 * dockerignore file excludes.
 */
export function contextOf(dockerfile: string): string[] {
  const patterns = readFileSync(`${dockerfile}.dockerignore`, "utf8").split("\n").filter(Boolean);
  const glob = (pattern: string) =>
    new RegExp(
      `^${pattern
        .replaceAll(/[.+]/g, "\\$&")
        .replaceAll("**/", "(.*/)?")
        .replaceAll(/(?<!\.)\*(?!\/)/g, "[^/]*")}(/|$)`,
    );
  const rules = patterns.map((line) => ({ keep: line.startsWith("!"), pattern: glob(line.replace(/^!/, "")) }));
  const all = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return all.split("\0").filter((file) => file && rules.findLast(({ pattern }) => pattern.test(file))?.keep);
}

/**
 * Performs a COPY from the context.
 * @param rest the instruction's arguments
 * @param folder the folder that replaces the image's WORKDIR
 */
export function copy(files: readonly string[], rest: string, folder: string): void {
  const [to = "", ...words] = rest.split(/\s+/).reverse();
  if (!/^\.\/?$/.test(to)) throw new Error(`Not the folder that is worked in: ${rest}`);
  for (const file of files) {
    if (!words.some((from) => from === "." || file === from || file.startsWith(`${from}/`))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
}
