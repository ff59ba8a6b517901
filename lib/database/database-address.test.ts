import { expect, test } from "vitest";
import { readSettings } from "@/lib/config/env";
import { isCluster } from "./database-address";

const read =
  (DATABASE_URL: string, more = {}) =>
  () =>
    readSettings({ NODE_ENV: "test", DATABASE_URL, ...more }).DATABASE_URL;

test.each([
  "postgresql://u:p@one/db",
  "postgres://one:5433/db?sslmode=require",
  "postgresql:///db?host=/var/run/postgresql",
  "postgresql://u:p@one:5432,two:5433,[::1]:5434/db?target_session_attrs=read-write",
  "postgresql://u:p@one,two/db?target_session_attrs=primary",
  "postgresql://one,two",
])("accepts the database address %s", (url) => {
  expect(read(url)()).toBe(url);
});

test.each([
  ["mysql://one/db", "DATABASE_URL must be a postgresql:// address."],
  ["postgresql://one:5432,two:x/db", "DATABASE_URL must be a postgresql:// address."],
  ["postgresql://one two/db", "DATABASE_URL must be a postgresql:// address."],
  [
    "postgresql://u:hush@one,two/db?target_session_attrs=standby",
    "DATABASE_URL must have target_session_attrs=read-write or primary, because the service writes to the database.",
  ],
])("rejects the database address %s", (url, sentence) => {
  expect(read(url)).toThrow(sentence);
});

test("requires DATABASE_URL if DATABASE_DIRECT_URL is set", () => {
  const alone = { DATABASE_DIRECT_URL: "postgresql://one/db" };
  expect(read("", alone)).toThrow("DATABASE_DIRECT_URL requires DATABASE_URL. Set DATABASE_URL.");
  expect(readSettings({ NODE_ENV: "test", DATABASE_URL: "postgresql://two/db", ...alone })).toMatchObject(alone);
});

test("recognizes an address that lists several servers", () => {
  expect([isCluster("postgresql://u@one/db"), isCluster("postgresql://u@one,two/db")]).toEqual([false, true]);
});
