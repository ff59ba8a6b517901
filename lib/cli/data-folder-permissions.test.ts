import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "@/lib/config/env";
import { serverAccount } from "@/lib/postgres/os-user";
import { newDataDir } from "@/lib/testing/data-dir";
import { checkFolder } from "./preflight";

const elsewhere = mkdtempSync(join(tmpdir(), "countersign-modes-"));
const made = [elsewhere];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

const mode = (...path: string[]) => (statSync(join(...path)).mode & 0o777).toString(8);
/**
 * The data folder's expected mode. If PostgreSQL runs under its own account, that account must be
 * able to pass through the folder. No other user may list the folder.
 */
const passed = serverAccount() ? "711" : "700";

function opened(folderMode: number, settings: Record<string, string> = {}, linked = false) {
  const DATA_DIR = newDataDir(folderMode);
  made.push(DATA_DIR);
  writeFileSync(join(DATA_DIR, "secret"), "x", { mode: 0o644 });
  if (linked) symlinkSync(elsewhere, join(DATA_DIR, "postgres"));
  else mkdirSync(join(DATA_DIR, "postgres"), { mode: 0o700 });
  checkFolder(readSettings({ NODE_ENV: "test", DATA_DIR, ...settings }));
  return DATA_DIR;
}

test.each([
  ["open to everyone", opened(0o755), passed],
  ["open to everyone, with a linked database folder", opened(0o777, {}, true), "700"],
  ["open to everyone, with an external database", opened(0o755, { DATABASE_URL: "postgresql://x@127.0.0.1/x" }), "700"],
  ["already private", opened(0o700), "700"],
])("restricts access to a data folder that is %s", (_, folder, expected) => {
  expect(mode(folder)).toBe(expected);
  expect(mode(folder, "secret")).toBe("600");
});
