import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/**
 * A Chromium to test with: CHROMIUM_PATH, Playwright's own, or the system's.
 * @returns its path, or undefined where there is none
 */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  const mac = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...mac].find(isExecutable);
}

/**
 * Get one where that is possible: Playwright's, or on Debian and its kin, as root, the system's.
 * @returns undefined when there is one now, or else what somebody has to do
 */
export function installChromium(): string | undefined {
  const playwright = join(import.meta.dirname, "../../node_modules/@playwright/test/cli.js");
  if (process.getuid?.() === 0 && isExecutable("/usr/bin/apt-get")) {
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]);
  }
  if (!findChromium()) run(process.execPath, [playwright, "install", "chromium"]);
  if (findChromium()) return undefined;
  return (
    "The end-to-end tests need Chromium, and none could be installed: install it yourself " +
    '("apt-get install chromium", "npx playwright install --with-deps chromium"), or set CHROMIUM_PATH to one.'
  );
}

const run = (program: string, args: string[]) =>
  spawnSync(program, args, {
    stdio: "ignore",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
