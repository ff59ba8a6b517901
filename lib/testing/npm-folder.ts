import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { buildPackage } from "./client-package";
import { runSystem } from "./programs";

const npm = (cwd: string, ...args: string[]) => runSystem("npm", [...args, "--no-audit", "--no-fund"], { cwd });

let made: Promise<string> | undefined;

/** The package `countersign` as npm would publish it. @returns the file */
export const packedClient = () => (made ??= pack());

async function pack(): Promise<string> {
  const folder = temporary();
  const source = join(folder, "source");
  // Several tests pack at once.
  cpSync("clients/typescript", source, { recursive: true, filter: (path) => !path.endsWith("/dist") });
  await buildPackage(join(source, "dist"));
  const { status, out, err } = await npm(source, "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  if (status !== 0) throw new Error(err);
  return join(folder, (JSON.parse(out) as { filename: string }[])[0]?.filename ?? "");
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-npm-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A folder of its own with our package, and others that npm brings.
 * @param skip where npm cannot bring them
 */
export async function npmFolder(
  packages: Record<string, string>,
  skip: (reason: string) => never,
): Promise<{ folder: string; run: (program: string, ...args: string[]) => ReturnType<typeof runSystem> }> {
  const folder = temporary();
  copyFileSync(await packedClient(), join(folder, "countersign.tgz"));
  const dependencies = { ...packages, countersign: "file:countersign.tgz" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const { status, err } = await npm(folder, "install", "--ignore-scripts", "--no-package-lock");
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|E40[34]/.test(status === 0 ? "" : err))
    skip(`npm cannot bring ${Object.keys(packages).join(", ")}`);
  if (status !== 0) throw new Error(err);
  return { folder, run: (program, ...args) => runSystem(program, args, { cwd: folder }) };
}
