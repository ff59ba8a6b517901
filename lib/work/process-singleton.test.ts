import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { processSingleton } from "./process-singleton";

test("shares a singleton among copies of a module", async () => {
  const make = vi.fn(() => ({ count: 0 }));
  const here = processSingleton("test", make);
  expect(make).not.toHaveBeenCalled();
  vi.resetModules();
  const other = (await import("./process-singleton")).processSingleton("test", make);
  here().count++;
  expect(other()).toEqual({ count: 1 });
  expect(make).toHaveBeenCalledOnce();
});

test("stores only declared singletons on globalThis", () => {
  const root = join(import.meta.dirname, "../..");
  const sources = ["lib", "app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => join(folder, file))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^lib\/(generated|testing|client)\//.test(file)),
  );
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  expect(sources.filter((file) => /\bglobalThis\b/.test(read(file)))).toEqual(["lib/work/process-singleton.ts"]);
  const names = sources.flatMap((file) =>
    [...read(file).matchAll(/\bprocessSingleton(?:<[^(]*>)?\(\s*"([^"]+)"/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(new Set(names).size).toBe(names.length);
});
