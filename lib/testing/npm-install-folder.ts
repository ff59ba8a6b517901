import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { newestArchive } from "./newest-client-archive";
import { runSystem } from "./test-with-programs";

const npm = (cwd: string, ...args: string[]) => runSystem("npm", [...args, "--no-audit", "--no-fund"], { cwd });

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-npm-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Creates a folder with the package that the service hosts, and other packages from npm.
 * @param skip called if npm cannot install them
 */
export async function npmFolder(
  packages: Record<string, string>,
  skip: (reason: string) => never,
): Promise<{ folder: string; run: (program: string, ...args: string[]) => ReturnType<typeof runSystem> }> {
  const folder = temporary();
  copyFileSync(join("public/client", newestArchive("countersign.tgz")), join(folder, "countersign.tgz"));
  const dependencies = { ...packages, countersign: "file:countersign.tgz" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const { status, err } = await npm(folder, "install", "--ignore-scripts", "--no-package-lock");
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|E40[34]/.test(status === 0 ? "" : err))
    skip(`npm cannot bring ${Object.keys(packages).join(", ")}`);
  if (status !== 0) throw new Error(err);
  return { folder, run: (program, ...args) => runSystem(program, args, { cwd: folder }) };
}
