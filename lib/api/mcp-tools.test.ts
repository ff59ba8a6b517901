import { describe, expect, it } from "vitest";
import { scopeNames, usualScopes } from "@/lib/scopes";
import { requestedTools, tools, toolsFor } from "./mcp-tools";

type Schema = {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
} & Record<string, unknown>;

const all = requestedTools("all");
const listed = toolsFor(scopeNames, all);
const named = (name: string, scopes: readonly string[] = scopeNames) =>
  toolsFor(scopes, all).find((it) => it.name === name);
const argumentsOf = (name: string, scopes?: readonly string[]) =>
  Object.keys(named(name, scopes)?.inputSchema.properties ?? {});

describe.each(listed.map((tool) => [tool.name, tool] as const))("the tool %s", (_, tool) => {
  it("describes every argument", () => {
    const { $defs = {}, ...input } = tool.inputSchema as Schema;
    const look = (schema: Schema, at: string): void => {
      const it = schema.$ref ? ($defs[schema.$ref.slice("#/$defs/".length)] as Schema) : schema;
      for (const [name, field] of Object.entries(it.properties ?? {})) {
        expect([`${at}${name}`, field.description]).toEqual([`${at}${name}`, expect.any(String)]);
        for (const inner of field.items?.anyOf ?? [field.items ?? field]) look(inner, `${at}${name}.`);
      }
    };
    look(input, "");
  });

  it("contains no unused schema definitions", () => {
    for (const schema of [tool.inputSchema, tool.outputSchema] as Schema[]) {
      const { $defs = {}, ...rest } = schema;
      for (const name of Object.keys($defs)) {
        const others = Object.entries($defs).filter(([other]) => other !== name);
        expect([name, JSON.stringify([rest, others]).includes(`"#/$defs/${name}"`)]).toEqual([name, true]);
      }
    }
  });

  it("contains no empty schema", () => {
    const silent = (part: unknown, at: string): string[] => {
      if (typeof part !== "object" || part === null) return [];
      const inside = Object.entries(part).flatMap(([name, each]) => silent(each, `${at}.${name}`));
      return Array.isArray(part) || Object.keys(part).length > 0 || at.endsWith(".properties") ? inside : [at];
    };
    expect(silent([tool.inputSchema, tool.outputSchema], tool.name)).toEqual([]);
  });

  it("uses no union keywords in the input schema and no formats in either schema", () => {
    const words = JSON.stringify(tool.inputSchema);
    expect(words).not.toMatch(/"(anyOf|oneOf)":/);
    expect(words).not.toMatch(/"format":"/);
    expect(JSON.stringify(tool.outputSchema)).not.toMatch(/"format":"/);
  });

  it("mentions no status codes, headers or endpoints in the descriptions", () => {
    const words = [...JSON.stringify(tool).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text);
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((text) => /\b(4\d\d|503)\b|\bHTTP\b|[Hh]eader|[Ee]ndpoint/.test(text ?? ""))).toEqual([]);
  });

  it("includes a title and annotations", () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
    const decides = ["resolve_approval", "freeze_self"].includes(tool.name);
    const reads = tools().find(({ name }) => name === tool.name)?.op.method === "GET";
    expect([readOnlyHint, destructiveHint, idempotentHint]).toEqual([reads, decides, reads || decides]);
    expect([openWorldHint, tool.title]).toEqual([false, expect.stringMatching(/^[A-Z]/)]);
  });
});

/**
 * A low estimate of the number of JSON characters per token of a large language model. The average
 * measured over these schemas is 4.1.
 */
const charactersOfToken = 4;

it("describes the five default tools in at most 3,500 tokens", () => {
  const usual = toolsFor(usualScopes, new Set());
  expect(usual.map(({ name }) => name).sort()).toEqual([
    ...["add_context", "ask_owner", "check_approval", "notify_owner", "report_outcome"],
  ]);
  expect(JSON.stringify(usual).length).toBeLessThan(3_500 * charactersOfToken);
});

it("lists more tools for scopes that apps must request explicitly", () => {
  const names = (...scopes: string[]) => toolsFor([...usualScopes, ...scopes], new Set()).map(({ name }) => name);
  expect(names("approvals:resolve")).toContain("resolve_approval");
  expect(names("notifications:read")).toEqual(expect.arrayContaining(["list_notifications", "get_notification"]));
  expect(names()).not.toContain("list_events");
});

it("describes the limit argument as a bounded integer", () => {
  for (const [name, maximum] of [
    ["list_approvals", 200],
    ["list_notifications", 200],
    ["list_events", 100],
  ] as const)
    expect(named(name)?.inputSchema.properties?.limit).toMatchObject({ type: "integer", minimum: 1, maximum });
  for (const name of ["ask_owner", "check_approval", "list_events"]) expect(argumentsOf(name)).toContain("waitSeconds");
  expect(listed.flatMap(({ name }) => argumentsOf(name))).not.toContain("wait");
});

it("describes options as strings or objects in a single schema", () => {
  const { properties } = (named("ask_owner") as { inputSchema: unknown }).inputSchema as Schema;
  expect(properties?.options?.items).toMatchObject({
    type: ["string", "object"],
    properties: { id: { type: "string" }, label: { type: "string" } },
    required: ["id", "label"],
    additionalProperties: false,
  });
});

it("hides arguments that the token's scopes do not allow", () => {
  expect(argumentsOf("ask_owner")).toEqual(expect.arrayContaining(["defaultOptionId", "waitSeconds"]));
  const few = argumentsOf("ask_owner", ["approvals:write"]);
  expect(few).not.toContain("defaultOptionId");
  expect(few).not.toContain("waitSeconds");
  expect(argumentsOf("ask_owner", ["approvals:write", "approvals:read"])).toContain("waitSeconds");
});
