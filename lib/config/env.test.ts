import { afterEach, expect, test } from "vitest";
import { configure, unset } from "@/lib/testing/settings";
import { env, readSettings, SettingError } from "./env";

afterEach(() => unset());

test.each(["0", "17", "2.5", "many"])("rejects PROCESSES=%s by name", (PROCESSES) => {
  const refused = new SettingError("PROCESSES must be a whole number from 1 to 16, or auto.");
  expect(() => readSettings({ NODE_ENV: "test", PROCESSES })).toThrow(refused);
});

test.each([
  ["METRICS_PORT", "70000", "must be a whole number from 0 to 65535"],
  ["METRICS_PORT", "nine", "must be a whole number from 0 to 65535"],
  ["METRICS_HOST", "http://here", "must be an address to listen on, like 127.0.0.1 or 0.0.0.0"],
  ["LOG_LEVEL", "loud", "must be info, warn or error"],
  ["ACCESS_LOG", "yes", "must be on or off"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "must be an http(s) address"],
])("rejects %s=%s by name", (name, value, why) => {
  expect(() => readSettings({ NODE_ENV: "test", [name]: value })).toThrow(new SettingError(`${name} ${why}.`));
});

test.each([
  ["for one process: all", "10", "1", 10],
  ["for two processes: half each", "20", "2", 10],
  ["for many processes: enough each", "10", "8", 4],
  ["for a command of any service", "10", "auto", 10],
])("limits connections %s", (_, DATABASE_POOL, PROCESSES, each) => {
  const settings = {
    DATABASE_POOL,
    PROCESSES,
    DATABASE_URL: "postgresql://nobody@127.0.0.1/none",
    SECRET: "s".repeat(32),
  };
  configure(settings);
  expect(env().databasePool).toBe(each);
});

test("accepts retention in days, at least a week; forever by default", () => {
  const read = (days: string) => readSettings({ NODE_ENV: "test", RETENTION_EVENTS: days }).RETENTION_EVENTS;
  expect([read("90d"), read("7d"), read("")]).toEqual([90, 7, undefined]);
  for (const wrong of ["6d", "90", "3m", "-7d"]) expect(() => read(wrong)).toThrow(/^RETENTION_EVENTS must be /);
});
