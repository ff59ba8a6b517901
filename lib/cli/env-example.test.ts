import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, settingNames } from "@/lib/config/env";

const example = readFileSync(join(import.meta.dirname, "../../.env.example"), "utf8");
const shown = Object.fromEntries([...example.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

test("lists exactly the known settings", () => {
  expect(Object.keys(shown).sort()).toEqual([...settingNames].sort());
});

test("shows each setting's default", () => {
  expect(readSettings({ NODE_ENV: "test", ...shown })).toEqual(readSettings({ NODE_ENV: "test" }));
});
