import { expect, test } from "vitest";
import { describeError } from "./describe-error.mjs";

const noRoom = /^The disk is full.*\. Free some space, then try again\.$/;
const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test.each([
  ["a file write", failure("ENOSPC: no space left on device, write", { code: "ENOSPC", path: "/data/secret" }), noRoom],
  [
    "database creation",
    failure("initdb failed: creating …\ninitdb: error: could not write: No space left on device"),
    noRoom,
  ],
  ["a migration", failure("could not extend file", { code: "53100", severity: "ERROR" }), noRoom],
  [
    "database startup",
    failure("PostgreSQL did not start", { cause: new Error("pg_ctl failed: No space left on device") }),
    noRoom,
  ],
  [
    "a query without permission",
    failure("permission denied for schema public", { code: "42501", severity: "ERROR" }),
    /^The database .*\.$/,
  ],
  [
    "a database shutdown",
    failure("the database system is shutting down", { code: "57P03", severity: "FATAL" }),
    /^The .*\.$/,
  ],
])("describes a failure during %s in one sentence", (_, error, words) => {
  expect(describeError(error)).toMatch(words);
});

test("includes the stack of an internal error", () => {
  expect(describeError(new Error("undefined is not a function"))).toContain("describe-error.test");
  expect(describeError(failure("syntax error", { code: "42601", severity: "ERROR" }))).toContain("describe-error.test");
});
