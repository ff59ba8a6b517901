import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openapi } from "./openapi";
import { inOlderWords, openapi30, openapi30Text } from "./openapi-3.0";

test("generates exactly the published OpenAPI 3.0 document (to update: npm run derive)", () => {
  expect(readFileSync("public/openapi-3.0.json", "utf8")).toBe(openapi30Text());
});

test("keeps the 3.1 document's paths and all its schemas except WaitedApproval", () => {
  const shapeOf = (document: { paths?: unknown; components?: unknown }) =>
    Object.entries(document.paths as Record<string, Record<string, { responses: object }>>).map(([path, methods]) => [
      path,
      Object.entries(methods).map(([method, { responses }]) => [method, Object.keys(responses)]),
    ]);
  const [older, newer] = [openapi30(), openapi()];
  expect([older.openapi, newer.openapi]).toEqual(["3.0.3", "3.1.0"]);
  expect(shapeOf(older)).toEqual(shapeOf(newer));
  const { schemas } = older.components as { schemas: Record<string, object> };
  // The response after a wait needs a keyword that 3.0 lacks.
  const others = Object.keys(newer.components.schemas).filter((name) => name !== "WaitedApproval");
  expect(Object.keys(schemas)).toEqual(others);
  expect(schemas.ApprovalRequest).toEqual(newer.components.schemas.ApprovalRequest);
});

test("translates only the schema keywords that differ in version 3.0", () => {
  expect(
    inOlderWords({
      type: ["string", "null"],
      const: "a",
      examples: ["a", "b"],
      exclusiveMinimum: 0,
      propertyNames: { type: "string" },
      properties: {
        const: { const: 1 },
        type: { type: ["string", "integer"] },
        ref: { $ref: "#/a", description: "b" },
      },
      example: { const: 1, type: ["null"] },
    }),
  ).toEqual({
    type: "string",
    nullable: true,
    enum: ["a"],
    example: { const: 1, type: ["null"] },
    exclusiveMinimum: true,
    minimum: 0,
    properties: {
      const: { enum: [1] },
      type: { anyOf: [{ type: "string" }, { type: "integer" }] },
      ref: { $ref: "#/a" },
    },
  });
});

test.each([
  [{ if: {} }],
  [{ properties: { a: { prefixItems: [] } } }],
  [{ type: "null" }],
  [{ patternProperties: {} }],
])("rejects %j as unsupported in OpenAPI 3.0", (schema) =>
  expect(() => inOlderWords(schema)).toThrow("OpenAPI 3.0 does not support"),
);
