import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Some third-party programs need a newer Node.js than the service, so npm installs both for a run.
 */
const newerNode = "node@22.23.3";

/**
 * Runs an npm package's program in a separate folder until it exits.
 * @param hear receives the whole output so far with each new chunk
 */
export async function npmExec(
  npmPackage: string,
  command: string[],
  hear: (said: string) => void = () => {},
): Promise<{ status: number | null; out: string; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-npm-"));
  const packages = [newerNode, npmPackage].map((it) => `--package=${it}`);
  const child = spawn("npm", ["exec", "--yes", ...packages, "--", ...command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, said] = ["", ""];
  const listen = (text: Buffer) => {
    said += text;
    hear(said);
  };
  child.stdout.on("data", (text: Buffer) => (out += text)).on("data", listen);
  child.stderr.on("data", listen);
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  rmSync(folder, { recursive: true });
  return { status, out, said };
}
