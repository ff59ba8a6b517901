import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { badRequest } from "@/lib/errors";
import type { Operation, ToolDescription } from "@/lib/operation";
import { type Scope, usualScopes } from "@/lib/scopes";
import { knownWords } from "@/lib/text/extensible-enum";
import { patterns } from "@/lib/text/text";
import { type Json, meaningless } from "./json-schema";
import { operations } from "./registry";

/** An operation as MCP clients see it. */
export type Tool = {
  op: Operation;
  name: string;
  title: string;
  description: string;
  /** What it takes beside the operation's own input. */
  own: z.ZodObject;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>;
  /** Arguments that are of no use without another scope than the tool's own. */
  needs: Partial<Record<string, Scope>>;
  /** What a call may wait for. */
  waitsFor: ToolDescription["waitsFor"];
};
type JsonObject = McpTool["inputSchema"];

const key = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/, "Must be printable ASCII")
  .optional()
  .describe(
    "Makes a repeated call safe: with the same key and arguments it runs once and gets the same reply, for 24 hours.",
  );

/** Most seconds that one call waits, and how many where nothing is said: less than the minute after which clients give up. */
export const maxWait = 300;
export const defaultWait = 45;
/** Most seconds without a sign of progress, below the minute after which clients give up. */
export const maxWaitWithoutProgress = 50;
const atMost = (most: number) => z.int().min(0).max(most).optional();
const waitSeconds = {
  answer: atMost(maxWait).describe(
    `Seconds to wait for the answer: 0 to ${maxWait}, ${defaultWait} by default. More than 50 only for clients that ask for progress.`,
  ),
  events: atMost(maxWaitWithoutProgress).describe(
    `Seconds to wait while there is nothing to read: 0 to ${maxWaitWithoutProgress}, 0 by default.`,
  ),
};

/** What asks and waits also says in words what to do next, for clients that show their model nothing else. */
const next = z.string().describe("What to do next, in words.");
const id = z.string().describe("Identifier of the approval.");

/** What of an approval is described to a model. It is given the rest as well, which it sent itself or hardly needs. */
const told = ["question", "status", "resolution", "deadlinePassed", "questions"];

/** What agents do all day. The other tools are listed for clients that ask for them: each one is read with every request. */
const usual: ReadonlySet<string> = new Set([
  "submitApproval",
  "getApproval",
  "addToApproval",
  "reportOutcome",
  "pushNotification",
]);

let made: readonly Tool[] | undefined;

/** Every operation as a tool, in the registry's order; described when somebody first asks. */
export const tools = (): readonly Tool[] => (made ??= operations.map(asTool));

function asTool(op: Operation): Tool {
  const { name, title, description, destructive = false, waitsFor, needs, aliases } = op.tool ?? plain(op);
  const asks = waitsFor === "answer" && op.waits !== undefined;
  const own = z.strictObject({
    ...(waitsFor && { waitSeconds: waitSeconds[waitsFor] }),
    ...(op.idempotent && { key }),
  });
  const gives = z.object(waitsFor === "answer" ? { ...(!asks && { id }), next } : {});
  const output = objectSchema(op.output, "input");
  const reads = op.method === "GET";
  const hints = {
    readOnlyHint: reads,
    destructiveHint: destructive,
    idempotentHint: reads || destructive,
    openWorldHint: false,
  };
  return {
    op,
    name,
    title,
    description,
    own,
    needs: { ...(asks && { waitSeconds: op.waits?.scope }), ...needs },
    waitsFor,
    // A query is described as what it means; it may also arrive as text.
    inputSchema: joined(
      without(
        objectSchema(z.strictObject({ ...op.input.shape, ...aliases?.fields }), "output"),
        waitsFor ? ["wait"] : [],
      ),
      objectSchema(own, "input"),
    ),
    outputSchema: joined(
      waitsFor === "answer" ? only(output, asks ? told.slice(1) : told) : output,
      objectSchema(gives, "input"),
    ),
    annotations: hints,
  };
}

/**
 * Which tools a client asks for besides the usual ones: `tools` of its address, `all` or names.
 * @throws {AppError} 400 naming what is no tool
 */
export function requestedTools(said: string | null): ReadonlySet<string> {
  const names = tools().map(({ name }) => name);
  const asked = said === "all" ? names : (said ?? "").split(",").filter(Boolean);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) throw badRequest(`There is no tool ${unknown.slice(0, 100)}`, "tools");
  return new Set(asked);
}

/** Whether a tool is listed: it is usual, or its scope is one that only who wants it asks for, or it was asked for itself. */
const listed = ({ op, name }: Tool, asked: ReadonlySet<string>): boolean =>
  usual.has(op.id) || (op.scope !== null && !usualScopes.includes(op.scope)) || asked.has(name);

/** Tools as a client reads them that may do this much: without what would only be refused, and those it did not ask for. */
export const toolsFor = (scopes: readonly string[], asked: ReadonlySet<string>): readonly McpTool[] =>
  tools()
    .filter((tool) => (tool.op.scope === null || scopes.includes(tool.op.scope)) && listed(tool, asked))
    .map(({ op: _, own: __, waitsFor: ___, needs, inputSchema, ...told }) => {
      const useless = Object.entries(needs).flatMap(([name, scope]) =>
        scope && !scopes.includes(scope) ? [name] : [],
      );
      return { ...told, inputSchema: without(inputSchema, useless) };
    });

/** `listApprovals` → `list_approvals`. */
const plain = (op: Operation): ToolDescription => ({
  name: op.id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  title: op.summary,
  description: op.description ?? op.summary,
});

/**
 * The JSON Schema of an object, as one that stands by itself: MCP wants no reference in its place. Outputs are described as
 * loosely as inputs would be, so that a field a newer service adds breaks no client.
 */
function objectSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, $ref, $defs = {}, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const named = $ref && $defs[$ref.slice(definitions.length)];
  const all = { ...whole, ...(named as object), ...(Object.keys($defs).length > 0 && { $defs }), type: "object" };
  const schemaOf = JSON.parse(JSON.stringify(all), (name, value) => {
    if (meaningless(name, value) || name === knownWords || untold.has(value)) return undefined;
    // Validators in clients warn of formats that they do not know.
    if (name === "format" && typeof value === "string") return undefined;
    if (Array.isArray(value?.anyOf)) return eitherType(value, $defs as Record<string, JsonObject>);
    // In so many words: a schema of no words is what strict readers warn of.
    return name === "additionalProperties" && JSON.stringify(value) === "{}" ? true : value;
  }) as JsonObject;
  return pruned(schemaOf);
}

/**
 * Alternatives of different types as one schema, since each keyword is about one type: some clients keep the first object of an
 * `anyOf` alone. What are no such alternatives stays.
 */
function eitherType({ anyOf, ...rest }: JsonObject & { anyOf: Json[] }, $defs: Record<string, Json>): Json {
  const each = anyOf.map(
    (one) => (typeof one.$ref === "string" ? $defs[one.$ref.slice(definitions.length)] : one) ?? one,
  );
  const types = each.map(({ type }) => type);
  const apart = types.every((type) => typeof type === "string") && new Set(types).size === types.length;
  return apart ? { ...rest, ...Object.assign({}, ...each), type: types } : { ...rest, anyOf };
}

/** What a model would hardly break, and need not read with every text. */
const untold: ReadonlySet<unknown> = new Set(Object.values(patterns));

const definitions = "#/$defs/";

/** A schema with those definitions alone that something in it refers to. */
function pruned({ $defs, ...schema }: JsonObject): JsonObject {
  const all = ($defs ?? {}) as Record<string, unknown>;
  const used = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(all[name]);
    }
  };
  look(schema);
  const left = Object.entries(all).filter(([name]) => used.has(name));
  return left.length > 0 ? { ...schema, $defs: Object.fromEntries(left) } : schema;
}

const without = (schema: JsonObject, names: readonly string[]): JsonObject =>
  pruned({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))),
    ...(schema.required && { required: schema.required.filter((name) => !names.includes(name)) }),
  });

const only = (schema: JsonObject, names: readonly string[]): JsonObject =>
  without(
    schema,
    Object.keys(schema.properties ?? {}).filter((name) => !names.includes(name)),
  );

const joined = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});
