import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EitherAnswer } from "@/lib/approvals/content/api-answer-schema";
import { AnswerTo } from "@/lib/approvals/schema";
import { scopeNames } from "@/lib/scopes";
import { openapi, openapiText } from "./openapi";
import { operations } from "./operation-registry";

test("generates exactly the published OpenAPI document (to update: npm run derive)", () => {
  expect(readFileSync("public/openapi.json", "utf8")).toBe(openapiText());
});

test("describes every operation's scope, success response and errors", () => {
  const { paths } = openapi();
  for (const op of operations) {
    const described = paths[op.path]?.[op.method.toLowerCase()] as {
      responses: object;
      security: object[];
    };
    expect(described.security).toEqual([{ bearer: [] }, { oauth2: op.scope ? [op.scope] : [] }]);
    const statuses = [op.status ?? 200, 401, ...(op.scope ? [403] : []), ...op.failures, 429, 503].map(String);
    expect(Object.keys(described.responses).sort()).toEqual(statuses.sort());
  }
});

test("provides valid examples for every operation", () => {
  for (const op of operations) {
    const { body, response } = op.example;
    if (op.method === "POST") expect((op.body ?? op.input).safeParse(body).error, op.id).toBeUndefined();
    expect(op.output.safeParse(response).error, op.id).toBeUndefined();
    if (op.waits) expect(op.waits.output.safeParse(op.waits.gives).error, op.id).toBeUndefined();
  }
  const inWords = JSON.parse(openapiText(), (_, value) => {
    if (value?.["application/json"])
      expect(value["application/json"].example ?? value["application/json"].examples).toBeDefined();
    if (value?.in === "path") expect(value.example).toEqual(expect.stringMatching(/^(apr|ntf)_/));
    return value;
  });
  expect(inWords.paths["/api/approvals"].get.parameters).toContainEqual(
    expect.objectContaining({ name: "limit", example: 20 }),
  );
});

test("names every request and response schema", () => {
  for (const methods of Object.values(openapi().paths))
    for (const { operationId, requestBody, responses } of Object.values(methods) as Node[])
      for (const { content } of [requestBody, ...Object.values(responses as Node)].filter(Boolean) as Node[])
        expect([operationId, (content as Node)["application/json"]]).toEqual([
          operationId,
          expect.objectContaining({ schema: { $ref: expect.stringMatching(/^#\/components\/schemas\/[A-Z]\w+$/) } }),
        ]);
});

test("links responses to operations on created records and to next pages", () => {
  const { paths } = openapi();
  const linksOf = (path: string, method: string, status: number) => {
    const found = paths[path]?.[method] as
      | { responses: Record<number, { links?: Record<string, object> }> }
      | undefined;
    return found?.responses[status]?.links ?? {};
  };
  const made = operations.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(1);
  for (const { path } of made) {
    const below = operations.filter((op) => op.path === `${path}/{id}` || op.path.startsWith(`${path}/{id}/`));
    expect(below.filter(({ method }) => method === "GET").length).toBeGreaterThan(0);
    expect(Object.keys(linksOf(path, "post", 201)).sort()).toEqual(below.map(({ id }) => id).sort());
  }
  expect(linksOf("/api/approvals", "get", 200)).toEqual({});
  expect(linksOf("/api/events", "get", 200)).toMatchObject({
    listEvents: { parameters: { after: expect.any(String) } },
  });
});

test("describes answers as a union of two schemas", () => {
  const { OptionAnswer, AnswerRequest } = openapi().components.schemas as Record<string, Node>;
  expect(AnswerRequest).toEqual({
    oneOf: [{ $ref: "#/components/schemas/OptionAnswer" }, { $ref: "#/components/schemas/OtherAnswer" }],
    discriminator: {
      propertyName: "kind",
      mapping: { option: "#/components/schemas/OptionAnswer", other: "#/components/schemas/OtherAnswer" },
    },
  });
  expect(OptionAnswer).toMatchObject({ required: ["kind", "optionId"], additionalProperties: false });
  for (const answer of [
    { kind: "option", optionId: "a" },
    { kind: "option", optionId: "a", note: "n" },
    { kind: "other", otherText: "t" },
    { kind: "option", otherText: "t" },
    { kind: "option", optionId: "a", otherText: "t" },
    { kind: "other", otherText: "t", optionId: "a" },
    { kind: "other" },
    { kind: "third", optionId: "a" },
    { optionId: "a" },
  ])
    expect([answer, EitherAnswer.safeParse(answer).success]).toEqual([
      answer,
      AnswerTo.safeParse({ id: "apr_a", ...answer }).success,
    ]);
});

test("describes extensible enums in responses as strings with known values", () => {
  const { Event, Integration, Approval, ApprovalRequest } = openapi().components.schemas as Record<
    string,
    { properties: Record<string, Node> }
  >;
  expect(Event?.properties.type).toMatchObject({
    type: "string",
    "x-extensible-enum": expect.arrayContaining(["approval.resolved"]),
  });
  for (const field of [Event?.properties.type, Integration?.properties.status, Approval?.properties.risk])
    expect(field).not.toHaveProperty("enum");
  // With `format: email`, Python's generators need another package, which rejects valid addresses.
  expect(Integration?.properties.email).not.toHaveProperty("format");
  expect(ApprovalRequest?.properties.risk).toMatchObject({ enum: ["low", "normal", "high"] });
});

test("uses every known scope and no other scope", () => {
  const used = new Set(operations.flatMap(({ scope }) => (scope ? [scope] : [])));
  expect([...used].sort()).toEqual([...scopeNames].sort());
});

test("describes a submission's response with and without the wait parameter", () => {
  const { SubmittedApproval, WaitedApproval } = openapi().components.schemas as Record<string, Node>;
  expect(SubmittedApproval).toMatchObject({
    required: ["id"],
    dependentSchemas: { status: { $ref: "#/components/schemas/WaitedApproval" } },
  });
  expect(WaitedApproval?.required).toEqual(expect.arrayContaining(["id", "status", "question", "options", "clientId"]));
  expect(SubmittedApproval?.properties).toEqual(WaitedApproval?.properties);
});

type Node = { [name: string]: unknown };
/** Lists every schema in a part of the document, with its path. */
function* schemasIn(part: unknown, at = ""): Generator<[string, Node]> {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part) && ("type" in part || "$ref" in part)) yield [at, part as Node];
  for (const [name, inner] of Object.entries(part)) yield* schemasIn(inner, `${at}/${name}`);
}

describe("requirements of client generators", () => {
  const { components, paths } = openapi();
  const schemas = components.schemas as Record<string, Node>;
  const all = [...schemasIn({ schemas, paths })];
  const bodies = new Set<string>();
  const replies = new Set<string>();
  for (const methods of Object.values(paths))
    for (const { requestBody, responses } of Object.values(methods) as Node[]) {
      named(requestBody, bodies);
      named(responses, replies);
    }

  /** Lists the components that something refers to, directly or indirectly. */
  function named(part: unknown, into: Set<string>) {
    for (const [, name = ""] of JSON.stringify(part ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (into.has(name)) continue;
      into.add(name);
      named(schemas[name], into);
    }
  }

  test("avoids property names that differ only by an underscore", () => {
    const bare = (name: string) => name.replace(/^_+/, "").toLowerCase();
    for (const [at, { properties = {} }] of all) {
      const names = Object.keys(properties as object).map(bare);
      expect([at, names.length]).toEqual([at, new Set(names).size]);
    }
  });

  test("describes times as 64-bit integers", () => {
    const times = all.flatMap(([at, schema]) => (/\/(\w+At|_creationTime)$/.test(at) ? [[at, schema.format]] : []));
    expect(times.length).toBeGreaterThan(10);
    expect(times).toEqual(times.map(([at]) => [at, "int64"]));
    expect(openapiText()).not.toContain("9007199254740991");
  });

  test("uses no constants and no defaults for body fields", () => {
    for (const [at, schema] of all) {
      expect([at, "const" in schema]).toEqual([at, false]);
      expect([at, "default" in schema && !at.includes("/parameters/")]).toEqual([at, false]);
    }
  });

  test("allows unknown fields in responses but not in requests", () => {
    expect([...bodies].filter((name) => replies.has(name))).toEqual([]);
    const objects = all.filter(([, { properties }]) => Object.keys(properties ?? {}).length > 0);
    const inBody = (at: string) => at.includes("/requestBody/") || bodies.has(/^\/schemas\/(\w+)/.exec(at)?.[1] ?? "");
    for (const [at, { additionalProperties }] of objects) expect([at, additionalProperties]).toEqual([at, !inBody(at)]);
    expect(objects.filter(([at]) => inBody(at)).length).toBeGreaterThan(4);
  });

  test("defines no unused components and no conflicting component names", () => {
    const names = Object.keys(schemas);
    expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
    expect(names.filter((name) => !bodies.has(name) && !replies.has(name))).toEqual([]);
  });

  test("defines text patterns that reject control characters", () => {
    const { question, backgroundContext } = (schemas.ApprovalRequest as { properties: Record<string, Node> })
      .properties;
    const pattern = (schema: Node | undefined) => new RegExp(String(schema?.pattern), "u");
    for (const [text, ok] of [
      ["Größe?\n\t🚀", true],
      ["a\0", false],
      ["a\u007f", false],
      ["a\u0085", false],
    ] as const)
      expect([text, pattern(question).test(text), pattern(backgroundContext).test(text)]).toEqual([text, ok, ok]);
    const { title } = (schemas.NotificationRequest as { properties: Record<string, Node> }).properties;
    expect([pattern(title).test("Größe 🚀"), pattern(title).test("a\nb")]).toEqual([true, false]);
  });

  test("describes every field and parameter", () => {
    for (const [at, { properties }] of all)
      for (const [name, schema] of Object.entries((properties ?? {}) as Record<string, Node>))
        expect([`${at}.${name}`, schema.description ?? schema.$ref]).toEqual([`${at}.${name}`, expect.any(String)]);
    for (const methods of Object.values(paths))
      for (const { operationId, parameters = [] } of Object.values(methods) as Node[])
        for (const { name, description } of parameters as Node[])
          expect([operationId, name, description]).toEqual([operationId, name, expect.any(String)]);
  });
});
