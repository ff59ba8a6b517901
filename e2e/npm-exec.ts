import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Other people's programs want a newer Node.js than ours, and npm brings both for the length of a run. */
const newerNode = "node@22.23.3";

/**
 * Run a program of an npm package to its end, in a folder of its own.
 * @param hear is given all it has said so far, whenever it says more
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
