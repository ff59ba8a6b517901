import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect } from "vitest";
import { findProgram } from "./find-program";
import { newestArchive } from "./newest-client-archive";
import { pythonName } from "./python-wheel";
import { runSystem } from "./test-with-programs";

const folder = mkdtempSync(join(tmpdir(), "countersign-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The path of a copy of our Python package. Tests use a copy, because builds write files next to
 * the sources.
 */
export const pythonPackage = join(folder, "package");
cpSync("clients/python", pythonPackage, { recursive: true });

let brought: Promise<string> | undefined;

/**
 * Returns the path of uv. Unlike pip, uv resolves packages in a second instead of minutes, and
 * caches downloads.
 */
const uv = (skip: (reason: string) => never) => (brought ??= bring(skip));

async function bring(skip: (reason: string) => never): Promise<string> {
  const found = findProgram("uv");
  if (found) return found;
  const programs = join(folder, "uv/bin");
  const { status, err } = await runSystem("python3", ["-m", "venv", join(folder, "uv")]);
  if (status !== 0) skip(`needs Python's venv: ${err}`);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"];
  const installed = await runSystem(join(programs, "python"), pip);
  if (/NewConnectionError|ConnectTimeout|ProxyError|Name or service not known/.test(installed.err)) skip("needs PyPI");
  expect(installed.status, installed.err).toBe(0);
  return join(programs, "uv");
}

/**
 * Creates a Python environment with these packages. For our own package, use `ours`.
 * @param name the environment's folder
 * @param skip called with a reason if PyPI is unreachable
 * @returns the folder with the environment's programs
 */
export async function pythonWith(
  name: string,
  packages: readonly string[],
  skip: (reason: string) => never,
): Promise<string> {
  const program = await uv(skip);
  const programs = join(folder, name, "bin");
  const made = await runSystem(program, ["venv", "--quiet", "--python", "python3", join(folder, name)]);
  expect(made.status, made.err).toBe(0);
  const pip = ["pip", "install", "--quiet", "--python", join(programs, "python")];
  const installed = await runSystem(program, [...pip, ...packages]);
  if (/error sending request|dns error|Could not connect/.test(installed.err)) skip("needs PyPI");
  expect(installed.status, installed.err).toBe(0);
  return programs;
}

/** Returns the file name of the wheel that the service hosts. */
export const newestWheel = () => newestArchive("countersign-python.tar.gz").replace(/\.tar\.gz$/, "-py3-none-any.whl");

/** Returns pip's requirement for our hosted package with these extras. */
export const ours = (...extras: string[]) =>
  `${pythonName}[${extras.join(",")}] @ file://${resolve("public/client", newestWheel())}`;
