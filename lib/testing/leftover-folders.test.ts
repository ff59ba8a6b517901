import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formerPrefix, removeLeftovers } from "./leftover-folders.mjs";

test("removes the former versions of ended processes only", async () => {
  const root = mkdtempSync(join(tmpdir(), "leftovers-"));
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of [`.next-former-${pid}-abc`, `${formerPrefix}abc`, ".next"])
    mkdirSync(join(root, name, "lib"), { recursive: true });
  await removeLeftovers(root);
  expect(readdirSync(root).sort()).toEqual([".next", `${formerPrefix}abc`]);
});
