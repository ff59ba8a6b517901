import { afterEach, expect, test, vi } from "vitest";
import { env, readSettings, resetEnv, SettingError } from "./env";

afterEach(() => {
  vi.unstubAllEnvs();
  resetEnv();
});

test.each(["0", "17", "2.5", "many"])("PROCESSES=%s is refused by name", (PROCESSES) => {
  const refused = new SettingError("PROCESSES must be a whole number from 1 to 16, or auto.");
  expect(() => readSettings({ NODE_ENV: "test", PROCESSES })).toThrow(refused);
});

test.each([
  ["one process has all", "10", "1", 10],
  ["two have half each", "20", "2", 10],
  ["many have what they need", "10", "8", 4],
  ["a command of a service of any number has what it may", "10", "auto", 10],
])("connections: %s", (_, DATABASE_POOL, PROCESSES, each) => {
  const settings = {
    DATABASE_POOL,
    PROCESSES,
    DATABASE_URL: "postgresql://nobody@127.0.0.1/none",
    SECRET: "s".repeat(32),
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  resetEnv();
  expect(env().databasePool).toBe(each);
});
