import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scopeNames } from "@/lib/scopes";
import { openapi, openapiText } from "./openapi";
import { operations } from "./registry";

test("the committed document is the derived one (npm run openapi writes it)", () => {
  expect(readFileSync("public/openapi.json", "utf8")).toBe(openapiText());
});

test("every operation is described with its scope, its success and its failures", () => {
  const { paths } = openapi();
  for (const op of operations) {
    const described = paths[op.path]?.[op.method.toLowerCase()] as {
      responses: object;
      security: { bearer: string[] }[];
    };
    expect(described.security).toEqual([{ bearer: op.scope ? [op.scope] : [] }]);
    const statuses = [op.status ?? 200, 401, ...(op.scope ? [403] : []), ...op.failures, 429, 503].map(String);
    expect(Object.keys(described.responses).sort()).toEqual(statuses.sort());
  }
});

test("every scope has an operation, and every operation's scope exists", () => {
  const used = new Set(operations.flatMap(({ scope }) => (scope ? [scope] : [])));
  expect([...used].sort()).toEqual([...scopeNames].sort());
});
