import { join } from "node:path";

/**
 * Installs packages from PyPI in a new environment.
 * @param run runs a program, and throws if it fails
 * @returns the folder of the environment's programs
 */
export async function pythonWith(
  run: (program: string, args: readonly string[]) => Promise<unknown>,
  folder: string,
  name: string,
  packages: readonly string[],
): Promise<string> {
  await run("python3", ["-m", "venv", join(folder, name)]);
  const programs = join(folder, name, "bin");
  const quietly = ["--quiet", "--disable-pip-version-check"];
  await run(join(programs, "python"), ["-m", "pip", "install", ...quietly, ...packages]);
  return programs;
}
