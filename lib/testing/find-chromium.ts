import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/**
 * Finds a Chromium for tests: the one at CHROMIUM_PATH, Playwright's, or the system's. Prefers the
 * system's headless shell, which uses a third less CPU time.
 * @param whole whether to exclude the headless shell, because page measurements require the full
 * browser
 * @returns the browser's path, or undefined if there is none
 */
export function findChromium(whole = false): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  return (whole ? undefined : onPath("chromium-headless-shell")) ?? browsers.map(onPath).find(Boolean) ?? onMac();
}

const browsers = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const onPath = (name: string) =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"].map((folder) => join(folder, name)).find(isExecutable);
const onMac = () => ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(isExecutable);

/**
 * Installs a browser if possible: Debian's packages if this process is root on a Debian-based
 * system, and otherwise Playwright's.
 * @returns undefined on success, otherwise instructions
 */
export function installChromium(): string | undefined {
  const playwright = join(import.meta.dirname, "../../node_modules/@playwright/test/cli.js");
  if (canInstall()) {
    run("apt-get", ["update", "-qq"]);
    for (const name of ["chromium", "chromium-headless-shell"]) {
      if (!onPath(name)) run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name]);
    }
  }
  if (!findChromium()) run(process.execPath, [playwright, "install", "chromium"]);
  if (findChromium()) return undefined;
  return (
    "The end-to-end tests need Chromium, and none could be installed: install it yourself " +
    '("apt-get install chromium", "npx playwright install --with-deps chromium"), or set CHROMIUM_PATH to one.'
  );
}

/** Whether the headless shell is missing but can be installed. */
export const lighterToHave = (): boolean =>
  canInstall() &&
  !process.env.CHROMIUM_PATH &&
  !existsSync(chromium.executablePath()) &&
  !onPath("chromium-headless-shell");

const canInstall = () => process.getuid?.() === 0 && isExecutable("/usr/bin/apt-get");

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
