import { expect, test } from "vitest";
import { readSettings, SettingError } from "./env";

test.each([
  ["METRICS_PORT", "70000", "must be a whole number from 0 to 65535"],
  ["METRICS_PORT", "nine", "must be a whole number from 0 to 65535"],
  ["METRICS_HOST", "http://here", "must be an address to listen on, like 127.0.0.1 or 0.0.0.0"],
  ["LOG_LEVEL", "loud", "must be info, warn or error"],
  ["ACCESS_LOG", "yes", "must be on or off"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "must be an http(s) address, like http://127.0.0.1:4318"],
])("names the invalid setting %s=%s in the error", (name, value, why) => {
  expect(() => readSettings({ NODE_ENV: "test", [name]: value })).toThrow(new SettingError(`${name} ${why}.`));
});

test("accepts only retention periods of seven days or more", () => {
  const read = (days: string) => readSettings({ NODE_ENV: "test", RETENTION_EVENTS: days }).RETENTION_EVENTS;
  expect([read("90d"), read("7d"), read("")]).toEqual([90, 7, undefined]);
  for (const wrong of ["6d", "90", "3m", "-7d"]) expect(() => read(wrong)).toThrow(/^RETENTION_EVENTS must be /);
});

test("reads the shards, and names a mistake without showing an address", () => {
  const DATABASE_URL = "postgresql://localhost/main";
  const read = (SHARDS: string, more: Record<string, string> = {}) =>
    readSettings({ NODE_ENV: "test", DATABASE_URL, SHARDS, ...more });
  const address = "postgresql://user:hush@one:5432,two:5432/x?target_session_attrs=primary";
  expect([...(read(` two=${address}\n three_3=postgresql://three/x `).SHARDS ?? [])]).toEqual([
    ["two", address],
    ["three_3", "postgresql://three/x"],
  ]);
  const wrong = [
    `main=${address}`,
    `Two=${address}`,
    `two=${address} two=${address}`,
    "two",
    "two=mysql://hush",
    address,
  ];
  for (const each of wrong) {
    expect(() => read(each)).toThrow(/^SHARDS must be databases separated by spaces, each like NAME=postgresql:/);
    expect(() => read(each)).not.toThrow(/hush/);
  }
  expect(() => read("two=postgresql://x/x", { DATABASE_URL: "" })).toThrow("SHARDS requires DATABASE_URL.");
  expect(() => read("", { SHARD_ROUTER: "spqr" })).toThrow("SHARD_ROUTER requires SHARDS.");
  expect(() => read("two=postgresql://x/x", { SHARD_ROUTER: "spqr" })).toThrow(
    "SHARD_ROUTER requires DATABASE_DIRECT_URL.",
  );
});
