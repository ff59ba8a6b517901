import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingNames } from "@/lib/config/env";

const files = ["lib", "app", "components", "bench"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
);
const textOf = (file: string) => readFileSync(file, "utf8");
const own = import.meta.filename.split("/").slice(-3).join("/");
/** All of Vitest's test files. `testCode` adds the helpers in lib/testing. */
const tests = files.filter((file) => /\.test\.tsx?$/.test(file) && file !== own);
const testCode = [...tests, ...files.filter((file) => /^lib\/testing\/.*\.ts$/.test(file) && file !== own)];

/** Returns every match of a pattern, as the file and the matching text. */
const places = (among: readonly string[], pattern: RegExp) =>
  among.flatMap((file) => [...new Set(textOf(file).match(pattern))].map((it) => `${file}: ${it}`));

test("changes settings in tests only with `configure` and `unset`", () => {
  const names = [...settingNames, "COUNTERSIGN_(?:URL|TOKEN)", "OTEL_\\w+"].join("|");
  const assigned = new RegExp(`process\\.env\\.(?:${names})\\b *(?:\\?\\?|\\|\\|)?=(?!=)`, "g");
  const others = /delete process\.env|Object\.assign\(process\.env|process\.env\[[^\]]+\] *=(?!=)/g;
  // Only the client's tests may use stubEnv, because the client reads the environment without
  // `env()`.
  const stubbed = new RegExp(`stubEnv\\("(?:${settingNames.join("|")})"`, "g");
  expect([...places(testCode, assigned), ...places(testCode, others), ...places(testCode, stubbed)]).toEqual([
    "lib/testing/change-settings.ts: delete process.env",
    "lib/testing/change-settings.ts: process.env[name] =",
  ]);
});

test("sets no timeout shorter than a minute in a test", () => {
  const short = (text: string) => Number(text.replaceAll("_", "")) < 60_000;
  const given = tests.flatMap((file) => {
    const text = textOf(file);
    const found = [
      ...text.matchAll(/(?:poll\([\s\S]{0,200}?|^(?:test|it|describe|beforeAll|afterAll)\b.*)\{ timeout: ([\d_]+)/gm),
      // A timeout that follows a test's function.
      ...text.matchAll(/^ {0,2}\}, ([\d_]+)\);/gm),
    ];
    return found.flatMap(([, limit = ""]) => (short(limit) ? [`${file}: ${limit}`] : []));
  });
  expect(given).toEqual([]);
  // `vi.waitFor` has a default timeout of only one second.
  expect(places(testCode, /vi\.(?:waitFor|waitUntil)\(/g)).toEqual(["lib/testing/eventually.ts: vi.waitFor("]);
});

test("sets no timeout shorter than a minute in a browser test", () => {
  // A later update must not hide one that this test misses, so it waits less.
  const exempt = "live-bursts.more.ts";
  const specs = readdirSync("e2e").filter((file) => /\.(spec|more|whole)\.ts$/.test(file) && file !== exempt);
  const given = specs.flatMap((file) => {
    // Ignores steps inside `toPass`, which repeats them, and clicks whose failure is ignored.
    const text = textOf(join("e2e", file)).replaceAll(
      /expect\(async \(\) => \{[\s\S]*?\}\)\.toPass|\.click\(\{[^}]*\}\)\s*\.catch/g,
      "",
    );
    return [...text.matchAll(/(?:timeout: |setTimeout\()([\d_]+)(?! *\)\))/g)]
      .filter(([it, limit = ""]) => !/^setTimeout/.test(it) && Number(limit.replaceAll("_", "")) < 60_000)
      .map(([it]) => `${file}: ${it}`);
  });
  expect(given).toEqual([]);
});

test("registers every timer that outlives its caller (lib/work/timer-registry.ts)", () => {
  const setting = files.filter(
    (file) => /^lib\/.*\.ts$/.test(file) && !/\.test\.ts$|^lib\/(cli|client|testing|generated)\//.test(file),
  );
  // The timers in these files end with their call, request or connection, or keep the process
  // running on purpose.
  expect(setting.filter((file) => /\bset(?:Timeout|Interval)\(/.test(textOf(file))).sort()).toEqual([
    "lib/api/health.ts",
    "lib/api/mcp-tool-calls.ts",
    "lib/clock.ts",
    "lib/database/partitioned-pool.ts",
    "lib/database/shards/moves/pause-gate.ts",
    "lib/events/shard-messages.ts",
    "lib/http/lingering-close.ts",
    "lib/http/server.ts",
    "lib/integrations/mail/login.ts",
    "lib/postgres/connection-check.ts",
    "lib/requests/long-poll.ts",
    "lib/telemetry/metrics-registry.ts",
    "lib/webhooks/delivery-worker.ts",
    "lib/work/batcher.ts",
    "lib/work/coalesce-calls.ts",
    "lib/work/timer-registry.ts",
    "lib/work/worker.ts",
  ]);
});

/** Returns the alternatives that a pattern with `{a,b}` stands for. */
const alternatives = (pattern: string): string[] => {
  const [, start = "", list = "", end = ""] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return list ? list.split(",").flatMap((it) => alternatives(start + it + end)) : [pattern];
};

test("names only existing test files in the test commands", () => {
  const config = textOf("lib/testing/vitest.config.ts").matchAll(/"(lib\/[^"]+\.db\.test\.ts)"/g);
  const selected = [...config].flatMap(([, pattern = ""]) => alternatives(pattern));
  expect(selected.length).toBeGreaterThan(10);
  const matches = (pattern: string) =>
    new RegExp(
      `^${pattern
        .replaceAll(".", "\\.")
        .replaceAll("**/", "(?:.+/)?")
        .replaceAll(/(?<!\))\*/g, "[^/]*")}$`,
    );
  const unmatched = selected.filter((pattern) => !tests.some((file) => matches(pattern).test(file)));
  const [, list = ""] = /wherePostgresMatters = \[(.*?)\]/s.exec(textOf("lib/testing/run-more-tests.mjs")) ?? [];
  const words = [...list.matchAll(/"(.+?)"/g)].map(([, word = ""]) => word);
  expect(words.length).toBeGreaterThan(10);
  expect([...unmatched, ...words.filter((word) => !tests.some((file) => file.includes(word)))]).toEqual([]);
});
